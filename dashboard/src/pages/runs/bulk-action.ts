import { type Models, millrace } from "../../api/client.ts";
import { counted } from "../../parts/counted.ts";
import { hasEnded } from "../../parts/runs/has-ended.ts";
import { originOf } from "../../parts/runs/run-origin.ts";
import { RUN_WORDS } from "../../parts/tones.ts";

type Run = Models["RunItem"];
type Factory = Pick<Models["Factory"], "uid" | "name">;

/** Something that can be done with several runs, one after the other. */
export interface BulkAction {
  title: (runs: string) => string;
  /** The title when it can be done with none of them. */
  nothing: string;
  /** The word on the button that does it. */
  action: string;
  kind: "main" | "danger";
  /** What it does, in a sentence. */
  effect: string;
  /** Why it cannot be done with a run as it stands. */
  obstacle: (run: Run) => string | undefined;
  /** Does it. @param key the idempotency key of this run in this dialog @returns the run that it has started, if any */
  send: (run: Run, key: string) => Promise<string | undefined>;
  /** That it was done. */
  done: string;
}

export const CANCEL: BulkAction = {
  title: (runs) => `Cancel ${runs}?`,
  nothing: "None of these runs can be cancelled",
  action: "Cancel runs",
  kind: "danger",
  effect:
    "Queued runs do not start. The agents of the others are stopped immediately; their output is retained.",
  obstacle: ({ state }) => {
    if (state === "BLOCKED") return "Needs an answer: answer or dismiss it";
    return hasEnded(state) ? `${RUN_WORDS[state]}: already ended` : undefined;
  },
  send: async ({ run_id }) => void (await millrace.runs.cancel(run_id)),
  done: "Cancelled",
};

export const RUN_AGAIN: BulkAction = {
  title: (runs) => `Run ${runs} again?`,
  nothing: "None of these runs can be run again",
  action: "Start runs",
  kind: "main",
  effect:
    "Each starts one run: of its automation as it is defined now and with the same delivery, or with its recorded request. No other automation starts.",
  obstacle: ({ state }) => (hasEnded(state) ? undefined : `${RUN_WORDS[state]}: has not ended`),
  send: async ({ run_id }, idempotencyKey) => (await millrace.runs.again(run_id, { idempotencyKey })).run_id,
  done: "Started",
};

/** How many of the runs have the same in a line, the most frequent first. */
export function countsOf(
  runs: readonly Run[],
  lineOf: (run: Run) => string,
): [line: string, count: number][] {
  const counts = new Map<string, number>();
  for (const run of runs) counts.set(lineOf(run), (counts.get(lineOf(run)) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a);
}

/** What a run counts as in the summary: its state, and what has started it. */
export function summaryLine(run: Run, factories: readonly Factory[]): string {
  const factory = factories.length > 1 && factories.find(({ uid }) => uid === run.factory_uid)?.name;
  return `${RUN_WORDS[run.state]}, ${originOf(run).name}${factory ? ` of ${factory}` : ""}`;
}

export const runsText = (runs: readonly Run[]) => counted(runs.length, "run");
