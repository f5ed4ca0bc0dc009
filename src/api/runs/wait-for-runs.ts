import type { Models } from "../../client/typed-paths.ts";
import type { CommitSignal } from "../../concurrency/rounds.ts";
import { errorMessage, invalidField, MillraceError } from "../../errors/error.ts";
import type { Log } from "../../log.ts";
import { reachesFactory } from "../../principals/principal.ts";
import { type Caller, seesRun } from "../../runs/caller.ts";
import { sumCosts } from "../../runs/output/usage.ts";
import { notRunning } from "../../runs/rules/agent-report.ts";
import { agentName } from "../../runs/rules/conversation.ts";
import { isDescendant } from "../../runs/rules/family.ts";
import { hasEnded } from "../../runs/rules/state.ts";
import {
  MAX_WAITED,
  MAX_WAITING_TURN,
  MAX_WAITS,
  type Wait,
  type WaitedRun,
  type WaitOutcome,
  type WaitState,
} from "../../runs/rules/wait.ts";
import type { Run } from "../../runs/run.ts";
import type { RunStore } from "../../runs/run-store.ts";
import type { ApiRequest, Endpoints } from "../http/endpoint.ts";
import { longPoll } from "../http/long-poll.ts";
import { WAIT_DEFAULTS } from "../models/agent-reports.ts";
import { artifactView } from "./artifacts.ts";
import { findRun, type RunDeps } from "./find-run.ts";
import { isAtWork } from "./run-item.ts";

export interface WaitDeps {
  runs: RunStore;
  commits: CommitSignal;
  /** Tells the timer of waits that there may be an earlier time limit. */
  onWait(): void;
  log: Log;
  now: () => Date;
}

/** Lets the agent of a run wait for runs that it has started. */
export function waitEndpoints(deps: WaitDeps) {
  return { waitForRuns: { handle: (request) => waitForRuns(request, deps) } } satisfies Endpoints;
}

async function waitForRuns(request: ApiRequest<"waitForRuns">, deps: WaitDeps) {
  const { runs, now } = deps;
  const run = await ownRun(request, deps);
  const asked = { ...WAIT_DEFAULTS, ...request.body };
  const at = now();
  const { wait, state: atFirst } = admitted(
    await runs.wait(
      {
        runId: run.id,
        turn: run.turn,
        ...(asked.run_ids ? { targets: asked.run_ids.map((id) => id.toLowerCase()) } : {}),
        mode: asked.mode,
        until: new Date(at.getTime() + asked.timeout_seconds * 1_000).toISOString(),
      },
      at.toISOString(),
    ),
    run,
  );
  deps.onWait();
  const state = atFirst === "waiting" ? await held(wait, asked.hold_seconds, request, deps) : atFirst;
  const results = await runs.listWaited(wait.targets);
  if (state !== "waiting") takeWhenSent(wait, results, request, deps);
  return { json: { state, runs: results.flatMap(childResult) } };
}

/** The run of the token. A token can read other runs of its family, but a run cannot wait in the name of another one. */
async function ownRun(request: ApiRequest<"waitForRuns">, deps: WaitDeps): Promise<Run> {
  const run = await findRun(request, deps);
  if (request.caller.kind === "run" && request.caller.run.id === run.id) return run;
  throw new MillraceError("not_authorized", "A run's token can wait in the name of its own run only.", {
    remedy: "Use the id in MILLRACE_RUN_ID.",
  });
}

function admitted(outcome: WaitOutcome, { id }: Run): { wait: Wait; state: WaitState } {
  if (!("refused" in outcome)) return outcome;
  switch (outcome.refused) {
    case "not running":
      throw notRunning({ id });
    case "no children":
      throw new MillraceError("invalid_request", `Run ${id} has not started a run that it could wait for.`, {
        remedy: "Start a run first (POST /agent/runs), or name the runs in run_ids.",
      });
    case "too many":
      throw new MillraceError("invalid_request", `Run ${id} has more than ${MAX_WAITED} runs to wait for.`, {
        remedy: `Name at most ${MAX_WAITED} of them in run_ids.`,
      });
    case "too many waits":
      throw new MillraceError("invalid_request", `Run ${id} has ${MAX_WAITS} waits that are not over.`, {
        remedy: "Name all runs to wait for in one request, or end the turn.",
      });
    case "too often":
      throw new MillraceError(
        "invalid_request",
        `Run ${id} has had ${MAX_WAITING_TURN} turns, and can no longer wait.`,
        { remedy: "End the run, and go on in another one." },
      );
    case "not below":
      throw invalidField(
        "run_ids",
        `run ${id} has not started ${outcome.ids.join(", ")}, itself or through the runs that it has started`,
      );
  }
}

/** Holds the request until the wait is over, or for as long as it asks. */
async function held(
  wait: Wait,
  holdSeconds: number,
  { http, caller }: ApiRequest<"waitForRuns">,
  { runs, commits, now }: WaitDeps,
): Promise<WaitState> {
  if (holdSeconds === 0) return "waiting";
  const look = () => runs.findWaitState(wait, now().toISOString());
  const polled = { http, caller, query: { wait: `${holdSeconds}s` } };
  return (await longPoll(polled, commits, look, (state) => state === "waiting")) ?? "waiting";
}

/**
 * Removes the wait when its results were sent. If the client gives up before, the wait stays: the next request returns the
 * results, or they begin the next turn.
 */
function takeWhenSent(
  wait: Wait,
  results: readonly WaitedRun[],
  { http }: ApiRequest<"waitForRuns">,
  { runs, log, now }: WaitDeps,
): void {
  // The response to a tool's request is sent after the operation has ended.
  const response = http.request.res ?? http.response;
  response.once("finish", () => {
    runs.takeWait(wait, results, now().toISOString()).catch((error) => {
      log.error(
        { run: wait.runId, error: errorMessage(error) },
        "results of a wait could not be recorded as sent",
      );
    });
  });
}

/** A run as the run that waits for it sees it. Runs that were deleted are left out. */
export function childResult({ run, artifacts }: WaitedRun): Models["ChildResult"][] {
  if (!run) return [];
  const { id, title, state, answer, statusMessage } = run;
  return [
    {
      run_id: id,
      agent: agentName(run),
      title,
      state,
      is_sandbox_running: isAtWork(run),
      answer: hasEnded(state) ? answer : null,
      status_message: statusMessage,
      artifacts: artifacts.map(artifactView),
    },
  ];
}

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
