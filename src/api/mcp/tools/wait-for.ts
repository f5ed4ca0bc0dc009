import { hasEnded } from "../../../runs/rules/state.ts";
import { childTexts } from "../../../runs/rules/wait.ts";
import type { AnswerOf } from "../../http/endpoint.ts";
import { type ToolAnswer, type ToolContext, tool } from "../tool.ts";
import { ownRun, ownTurn } from "./own-run.ts";
import { startRefusal } from "./start-agent.ts";

interface Given {
  run_ids?: string[];
  mode?: "all" | "any";
  timeout_seconds?: number;
}

type Waited = AnswerOf<"waitForRuns">;

/** How long a call is held until a worker has started one of the runs. Until then, this run may have the place that they need. */
const FIRST_HOLD_SECONDS = 5;
/** Programs stop waiting for a tool after a minute, and some have no setting for that. */
const HOLD_SECONDS = 45;
const DAY_SECONDS = 24 * 60 * 60;

/** Holds the call while agents work on the runs. Longer waits go on without a process, and begin the next turn of the run. */
export const waitFor = tool<Given>({
  name: "wait_for",
  title: "Wait for runs",
  description:
    "Waits for runs that you have started and returns their answers and artifacts. If they take long, it tells you to end your turn: their results begin your next one.",
  input: {
    type: "object",
    additionalProperties: false,
    properties: {
      run_ids: {
        type: "array",
        minItems: 1,
        maxItems: 50,
        items: { type: "string" },
        description:
          "The runs to wait for. Leave it out for all that you have started and that have not ended.",
      },
      mode: {
        type: "string",
        enum: ["all", "any"],
        description: "Whether all must end (default) or any one.",
      },
      timeout_seconds: { type: "integer", minimum: 1, maximum: 604_800, description: "86400 by default." },
    },
  },
  holds: true,
  refusal(caller) {
    if (caller.kind === "key") return "It is for agents: with an API key, GET the run with ?wait=60s.";
    return startRefusal(caller);
  },
  call: hold,
  // The same wait again: it replaces the one before.
  resume: hold,
});

async function hold(
  { run_ids, mode = "all", timeout_seconds = DAY_SECONDS }: Given,
  context: ToolContext,
): Promise<ToolAnswer> {
  const limit = performance.now() + timeout_seconds * 1_000;
  const holdLimit = performance.now() + longestHoldMs(context);
  let hasGone = false;
  void context.sent.then(() => {
    hasGone = true;
  });
  const wait = (ids: string[] | undefined, hold_seconds: number): Promise<Waited> => {
    const left = Math.max(1, Math.ceil((limit - performance.now()) / 1_000));
    const body = { ...(ids ? { run_ids: ids } : {}), mode, timeout_seconds: left, hold_seconds };
    return context.call("waitForRuns", { path: { runId: ownRun(context.caller) }, body });
  };
  let waited = await wait(run_ids, FIRST_HOLD_SECONDS);
  while (!hasGone && waited.state === "waiting" && someAreAtWork(waited) && performance.now() < holdLimit) {
    // The same runs again, so that the wait replaces the one before.
    const ids = waited.runs.map(({ run_id }) => run_id);
    waited = await wait(ids, HOLD_SECONDS);
  }
  return answerOf(waited);
}

/** An open session gets the results as the result of its call, for as long as it may be idle. */
function longestHoldMs({ caller, questions }: ToolContext): number {
  return questions.holdMs(ownTurn(caller)) ?? HOLD_SECONDS * 1_000;
}

/**
 * Whether an agent works on one of the runs. All others may need the place of this run: to hold the call for them would be a
 * deadlock.
 */
function someAreAtWork({ runs }: Waited): boolean {
  return runs.some(({ state, is_sandbox_running }) => {
    return state === "CLAIMED" || (state === "INPROGRESS" && is_sandbox_running);
  });
}

function answerOf(waited: Waited): ToolAnswer {
  return { text: [headline(waited), ...childTexts(waited.runs)].join("\n\n") };
}

function headline({ state, runs }: Waited): string {
  const open = runs.filter((run) => !hasEnded(run.state)).length;
  if (state === "done" && open === 0) return "The runs have ended.";
  if (state === "done") return "A run has ended. To wait for the others, call wait_for again.";
  if (state === "timed_out") return "The time limit was reached before the runs ended.";
  return "The wait was recorded. End your turn now; the results begin your next turn.";
}
