import type { TranscriptWriter } from "../output/transcript-writer.ts";

/** Ends a turn whose run has used more than a budget allows. */
export interface BudgetWatch {
  /** Looks at what the server has answered to a report of usage. */
  look(told: { overBudget?: string }): void;
  /** Has an agent told first that its model answers no more. @param refuseModels does so from outside of its program */
  letSayGoodbye(refuseModels: () => void): void;
  /** Why the turn has to end. */
  reason(): string | undefined;
  /** The turn has ended. */
  stop(): void;
}

/** How long an agent has to end by itself when its model answers no more. */
const GOODBYE_MS = 10_000;

/** @param end ends the turn */
export function budgetWatch(
  transcript: Pick<TranscriptWriter, "note">,
  end: (reason: string) => void,
): BudgetWatch {
  let over: string | undefined;
  let refuse: (() => void) | undefined;
  let timer: NodeJS.Timeout | undefined;
  return {
    look({ overBudget: reason }) {
      if (reason === undefined || over !== undefined) return;
      over = reason;
      transcript.note(reason);
      if (!refuse) return end(reason);
      refuse();
      timer = setTimeout(() => end(reason), GOODBYE_MS);
    },
    letSayGoodbye(refuseModels) {
      refuse = refuseModels;
    },
    reason: () => over,
    stop: () => clearTimeout(timer),
  };
}
