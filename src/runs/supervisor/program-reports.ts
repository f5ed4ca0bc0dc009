import type { OutputReport } from "../harness/output-reader.ts";

/** What a program has reported so far, for an executor that takes it up later. */
export interface ProgramReports {
  add(report: OutputReport): void;
  /** Says whether the program has nothing to do. */
  rests(isIdle: boolean): void;
  all(): OutputReport;
}

/** Of what lines tell the last counts. */
export function rememberReports(): ProgramReports {
  let all: OutputReport = {};
  return {
    add(report) {
      all = { ...all, ...report };
    },
    rests(isIdle) {
      all = { ...all, isIdle };
    },
    all: () => all,
  };
}
