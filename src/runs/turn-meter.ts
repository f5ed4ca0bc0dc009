import type { RunState } from "./rules/state.ts";
import type { Run } from "./run.ts";

/** Whose run it is, as it is measured. */
export type MeasuredRun = Pick<Run, "factoryUid" | "automationUid">;

/** Is told how long runs wait and work, and how their turns end. */
export interface TurnMeter {
  /** @param waitedMs since the run was created; nothing for a later turn, which waited for a message */
  started(run: MeasuredRun, waitedMs: number | undefined): void;
  /** @param workedMs since the turn was started; nothing when it was not */
  ended(run: MeasuredRun, state: RunState, workedMs: number | undefined): void;
}

/** For runs that nobody measures. */
export const NO_METER: TurnMeter = { started() {}, ended() {} };
