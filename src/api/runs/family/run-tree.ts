import { sumCosts } from "../../../runs/output/usage.ts";
import { agentName } from "../../../runs/rules/conversation.ts";
import { isDescendant } from "../../../runs/rules/family.ts";
import type { Run } from "../../../runs/run.ts";
import { type Caller, reachesFactory, seesRun } from "../../http/authorize.ts";
import type { ApiRequest } from "../../http/endpoint.ts";
import { findRun } from "../find-run.ts";
import type { RunDeps } from "../run-deps.ts";
import { isAtWork } from "../run-item.ts";

/** The family of a run as far as the caller sees it. */
export async function getTree(request: ApiRequest<"getRunTree">, { runs }: Pick<RunDeps, "runs">) {
  const { caller } = request;
  const { id, ancestors } = await findRun(request, { runs });
  const rootId = ancestors[0] ?? id;
  const members = (await runs.listFamily(rootId)).filter((member) => seesMember(caller, member));
  const usage = await runs.listUsage(members.map((member) => member.id));
  return {
    json: {
      root_run_id: rootId,
      runs: members.map((member) => {
        const cost = sumCosts(usage[member.id] ?? []);
        return {
          run_id: member.id,
          parent_run_id: member.ancestors.at(-1) ?? null,
          agent: agentName(member),
          title: member.title,
          state: member.state,
          created_at: member.createdAt,
          started_at: member.startedAt,
          finished_at: member.finishedAt,
          ...(member.waitingFor && member.waitingFor.length > 0 ? { waiting_for: member.waitingFor } : {}),
          ...(cost === null ? {} : { cost_usd: cost }),
          is_sandbox_running: isAtWork(member),
        };
      }),
    },
  };
}

function seesMember(
  caller: Caller,
  run: Pick<Run, "id" | "ancestors" | "factoryUid" | "execution">,
): boolean {
  if (caller.kind === "key") return reachesFactory(caller.key, run.factoryUid);
  return caller.run.id === run.id || isDescendant(run, caller.run);
}

/** The run that started a run, which says how that stands; nothing when it is gone, or the caller does not see it. */
export async function parentOf(run: Run, caller: Caller, { runs }: Pick<RunDeps, "runs">) {
  const parentId = run.ancestors.at(-1);
  const parent = parentId === undefined ? undefined : await runs.find(parentId);
  if (!parent || !seesRun(caller, parent)) return undefined;
  return { run_id: parent.id, title: parent.title, state: parent.state };
}
