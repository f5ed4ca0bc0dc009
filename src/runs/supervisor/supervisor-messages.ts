import type { HarnessRow } from "../harness/harness.ts";
import type { OutputReport } from "../harness/output-reader.ts";
import type { Launch } from "../sandbox/sandbox.ts";

/** What the agent host needs to know of a program. */
export interface ProgramSpec {
  launch: Launch;
  /** What the program reads on standard input first. */
  input: string;
  /** Whether more may follow; otherwise standard input ends there. */
  keepsInput: boolean;
  /** How the lines of its standard output are read. */
  output: HarnessRow["output"];
  /** Values that must not be shown. */
  secrets: readonly string[];
}

/** A stretch of what a program wrote, masked, with whole characters only. */
export interface OutputPiece {
  /** `harness` has what the program's events tell of its work: each a `HarnessEvent` as JSON on a line of its own. */
  stream: "stdout" | "stderr" | "harness";
  /** When it was read. */
  at: string;
  bytes: Uint8Array;
}

/** How a program ended. */
export type ProgramEnd = { kind: "exited"; code: number } | { kind: "killed"; signal: NodeJS.Signals };

/** What the server asks of its agent host; `id` tells one program from another. */
export type ToSupervisor =
  | { ask: "start"; id: number; spec: ProgramSpec }
  /** Gives a program more to read; `write` tells one such request from another. */
  | { ask: "write"; id: number; write: number; text: string }
  | { ask: "end_input"; id: number }
  /** So much of the output has been kept: the program may write as much again. */
  | { ask: "more"; id: number; bytes: number }
  /** Nothing that the program writes from now on is kept. */
  | { ask: "discard"; id: number }
  /** Whether the host is there; about no program. */
  | { ask: "alive"; id: 0 };

/** What the agent host tells of a program. */
export type FromSupervisor =
  | { event: "started"; id: number; pid: number }
  | { event: "not_started"; id: number; message: string }
  | { event: "written"; id: number; write: number; taken: boolean }
  | { event: "output"; id: number; pieces: OutputPiece[] }
  | { event: "report"; id: number; report: OutputReport }
  | { event: "exited"; id: number; end: ProgramEnd }
  /** Nothing more comes from the program. */
  | { event: "closed"; id: number }
  | { event: "alive"; id: 0 };
