import type { HarnessSetting } from "../../config/harness-setting.ts";
import type { ModelUsage } from "../output/model-usage.ts";
import { claudeReader } from "./claude-output.ts";
import { codexReader } from "./codex-output.ts";
import { geminiReader } from "./gemini-output.ts";
import type { HarnessEvent } from "./harness-event.ts";
import { opencodeReader } from "./opencode-output.ts";

/** What a line of an agent's output tells. */
export interface OutputReport {
  /** What a person reads of it. */
  text?: string;
  /** What the program calls its session. */
  session?: string;
  /** What the agent says at last. */
  answer?: string;
  /** The same as JSON, of a program that was given a schema for it. */
  answerJson?: string;
  /** The agent has done what it was asked, and waits for a message; or it works. */
  isIdle?: boolean;
  /** Why the program fails, as far as it is known; empty once it does not. */
  failure?: string;
  /** That failure stays, whatever the program tries: its turn can end. */
  isFatal?: true;
  /** The MCP servers that the program could not start or reach, as far as it names them. */
  failedServers?: string[];
  /** What models were used for in this turn so far: all of it, not what is new. */
  usage?: ModelUsage[];
  /** That usage is of all turns of the session so far, not of this one alone. */
  isUsageOfSession?: true;
}

/** What a line tells, with what of it is shown as a step of the agent's work. */
export interface LineReport extends OutputReport {
  events?: readonly HarnessEvent[];
}

/** @returns nothing for a line that is none of the program's events: it is shown as it is */
export type LineReader = (line: string) => LineReport | undefined;

/** Makes what reads the lines of a program in one turn; where there is none, what it writes is shown as it comes. */
export const LINE_READERS: Readonly<
  Record<NonNullable<HarnessSetting["output"]>, (() => LineReader) | undefined>
> = {
  text: undefined,
  claude: claudeReader,
  codex: codexReader,
  gemini: geminiReader,
  opencode: opencodeReader,
};

/** A line that is longer is no event; it is shown as it comes rather than gathered. */
const MAX_LINE = 16 * 1024 * 1024;

/** Cuts what a program writes into lines and reads them. @returns what a person reads of the bytes so far */
export function outputReader(
  read: LineReader,
  onReport: (report: OutputReport) => void,
  onEvents: (events: readonly HarnessEvent[]) => void = () => {},
) {
  let begun: Buffer[] = [];
  let length = 0;

  /** A program can write an event of a shape that its reader does not know: that is a line like any other. */
  function reportOf(line: string): LineReport | undefined {
    try {
      return read(line);
    } catch {
      return undefined;
    }
  }

  function readLine(line: Buffer): Buffer {
    const text = line.toString("utf8");
    const read = reportOf(text);
    if (!read) {
      onEvents([{ type: "output", text }]);
      return Buffer.concat([line, Buffer.from("\n")]);
    }
    const { events = [], ...report } = read;
    onReport(report);
    onEvents(events);
    return report.text ? Buffer.from(`${report.text}\n`) : Buffer.alloc(0);
  }

  function takeBegun(): Buffer {
    const line = Buffer.concat(begun);
    begun = [];
    length = 0;
    return line;
  }

  return {
    push(bytes: Buffer): Buffer {
      const shown: Buffer[] = [];
      let from = 0;
      for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, from)) {
        begun.push(bytes.subarray(from, end));
        shown.push(readLine(takeBegun()));
        from = end + 1;
      }
      begun.push(bytes.subarray(from));
      length += bytes.length - from;
      if (length > MAX_LINE) shown.push(takeBegun());
      return Buffer.concat(shown);
    },
    end(): Buffer {
      const line = takeBegun();
      return line.length === 0 ? line : readLine(line);
    },
  };
}
