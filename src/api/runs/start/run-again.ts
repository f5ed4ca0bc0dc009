import type { Models } from "../../../client/typed-paths.ts";
import { type ApiRequest, type Endpoints, keyOf } from "../../http/endpoint.ts";
import { findRun } from "../find-run.ts";
import type { RunDeps } from "../run-deps.ts";
import { repeatedRun } from "./repeated-run.ts";
import { startRun } from "./start-run.ts";

/** Repeating a run that has ended. */
export function runAgainEndpoints(deps: RunDeps) {
  return {
    planRunAgain: { handle: async (request) => ({ json: await planOf(request, deps) }) },
    runAgain: {
      async handle(request) {
        const run = await findRun(request, deps);
        return startRun(request, deps, async () => repeatedRun(run, keyOf(request).principal, deps));
      },
    },
  } satisfies Endpoints;
}

async function planOf(request: ApiRequest<"planRunAgain">, deps: RunDeps): Promise<Models["RunAgainPlan"]> {
  const before = await findRun(request, deps);
  const { run, automation, environmentSecrets } = await repeatedRun(before, keyOf(request).principal, deps);
  const factory = run.factoryUid === null ? undefined : deps.factories.find(run.factoryUid);
  const attachments = await deps.runs.listAttachments(before.id);
  return {
    run_id: before.id,
    based_on: automation ? "automation" : "request",
    title: run.title,
    source: run.source,
    attachments: attachments.map(({ name }) => name),
    secrets: [...new Set([...run.execution.secrets, ...environmentSecrets])],
    is_paused: deps.pauses.isPaused(run),
    ...(factory ? { factory: factory.record.name } : {}),
    ...(automation ? { automation: automation.name, automation_enabled: automation.enabled } : {}),
    ...(run.agentUid === null ? {} : { agent: run.executor.displayName }),
    ...(before.deliveryId === null ? {} : { delivery_id: before.deliveryId }),
    ...(run.schedule ? { schedule: run.schedule.name } : {}),
  };
}
