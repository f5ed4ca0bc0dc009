import type { CostedUsage } from "./output/usage.ts";
import type { RunState } from "./rules/state.ts";
import type { Run } from "./run.ts";
import type { Reaches } from "./turn/reaches.ts";

/** Whose run it is, as it is measured. */
export type MeasuredRun = Pick<Run, "factoryUid" | "automationUid">;

/** Is told how long runs wait and work, how their turns end, and what they have used. */
export interface TurnMeter {
  /** @param waitedMs since the run was created; nothing for a later turn, which waited for a message */
  started(run: MeasuredRun, waitedMs: number | undefined): void;
  /** @param workedMs since the turn was started; nothing when it was not */
  ended(run: MeasuredRun, state: RunState, workedMs: number | undefined): void;
  /** @param usage all that models were used for in a turn that has ended */
  used(run: MeasuredRun, usage: readonly CostedUsage[]): void;
  /** @param reaches all that the programs of a turn that has ended have reached */
  reached(run: MeasuredRun, reaches: Reaches): void;
}

/** For runs that nobody measures. */
export const NO_METER: TurnMeter = { started() {}, ended() {}, used() {}, reached() {} };
