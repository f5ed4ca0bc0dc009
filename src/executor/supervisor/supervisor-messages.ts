import type { OutputPiece } from "../../runs/output/transcript.ts";
import type { HarnessRow } from "../harness/harness.ts";
import type { OutputReport } from "../harness/output-reader.ts";
import type { NetworkReport } from "../network/network-log.ts";
import type { Launch } from "../sandbox/sandbox.ts";

/**
 * Of the messages between a supervisor and its executor, and of the state of turns that it holds for the next one (`TurnState`,
 * `TurnCheckpoint`, and the `Assignment` in it). A change of any of them needs another number: the next executor ends what an
 * executor of another number has left.
 */
export const SUPERVISOR_VERSION = 3;

/** What a program goes on with when whoever has started it has ended. */
export interface Keeping {
  runId: string;
  /** What an executor needs to know to take it up again. The supervisor keeps it in its memory, and does not read it. */
  state: unknown;
  /** How long it goes on while nobody is connected, in milliseconds. */
  aloneMs: number;
  /** How long it goes on without a word that its turn is held, in milliseconds; without it, for as long as somebody is connected. */
  holdMs?: number | undefined;
}

/** What the agent supervisor needs to know of a program. */
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
  /** Left out for a program that ends with whoever has started it. */
  keeping?: Keeping | undefined;
}

/** How a program ended. `fenced` is one whose turn was not held any more: nothing is said of that. */
export type ProgramEnd =
  | { kind: "exited"; code: number }
  | { kind: "killed"; signal: NodeJS.Signals }
  | { kind: "fenced" };

/** A text that a program was given, by the key that it was written with. */
export interface EarlierWrite {
  key: string;
  taken: boolean;
  /** Whether the program has written anything since. */
  isAnswered: boolean;
}

/** A program that has gone on without the process that has started it. What it wrote and nobody has kept comes after this. */
export interface LeftProgram {
  id: number;
  runId: string;
  state: unknown;
  pid: number;
  /** How long ago it was started, in milliseconds. */
  ageMs: number;
  /** What came with the last output that was kept. */
  checkpoint: unknown;
  /** All that its output has reported. */
  report: OutputReport;
  /** What its proxy has seen; left out where it has none. */
  network?: NetworkReport;
  writes: readonly EarlierWrite[];
  /** The number of the last request to write. */
  lastWrite: number;
}

/** What the agent supervisor is asked; `id` tells one program from another. */
export type ToSupervisor =
  | { ask: "start"; id: number; spec: ProgramSpec }
  /** Gives a program more to read; `write` tells one such request from another. */
  | { ask: "write"; id: number; write: number; text: string; key: string | undefined }
  | { ask: "end_input"; id: number }
  /** Puts a line of the executor's own among the program's output. */
  | { ask: "say"; id: number; at: string; bytes: Uint8Array }
  /** The next output that was sent has been kept: the program may write as much again. */
  | { ask: "more"; id: number; checkpoint: unknown }
  /** Nothing that the program writes from now on is kept. */
  | { ask: "discard"; id: number }
  /** The models that the program has asked through its proxy answer it no more. */
  | { ask: "refuse_models"; id: number }
  /** The turn of the program is held for so long. */
  | { ask: "hold"; id: number; forMs: number }
  /** Ends the program, with all that it has started. */
  | { ask: "end"; id: number }
  /** Everything about the program is known: another executor does not have to take it up. */
  | { ask: "forget"; id: number }
  /** Whether the supervisor is there; about no program. */
  | { ask: "alive"; id: 0 };

/** What the agent supervisor tells. */
export type FromSupervisor =
  /** What it has from before: the first message to whoever connects later. */
  | { event: "left"; id: 0; version: number; uid: string; pid: number; programs: readonly LeftProgram[] }
  | { event: "started"; id: number; pid: number }
  | { event: "not_started"; id: number; message: string }
  | { event: "written"; id: number; write: number; taken: boolean }
  | { event: "output"; id: number; pieces: OutputPiece[] }
  | { event: "report"; id: number; report: OutputReport }
  | { event: "network"; id: number; network: NetworkReport }
  | { event: "exited"; id: number; end: ProgramEnd }
  /** Nothing more comes from the program. */
  | { event: "closed"; id: number }
  | { event: "alive"; id: 0 };
