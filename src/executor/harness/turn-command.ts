import type { Run } from "../../runs/run.ts";
import type { HarnessRow } from "./harness.ts";

/** What is known of a turn when its program is started. */
export interface CommandFacts {
  run: Pick<Run, "harnessSession" | "execution">;
  hasMcpServers: boolean;
  /** Whether the session is held open for messages. */
  isLive: boolean;
}

/** The words that start a turn: the row's own, then those that hand over what is chosen for the run. */
export function turnCommand(row: HarnessRow, { run, hasMcpServers, isLive }: CommandFacts): string[] {
  const { harnessSession } = run;
  const { model, reasoningLevel } = run.execution.harness;
  const words =
    row.resume && harnessSession !== null ? filled(row.resume, "{session}", harnessSession) : row.command;
  const options = [
    ...(row.arguments ?? []),
    ...(row.model && model !== undefined ? filled(row.model, "{model}", model) : []),
    ...(row.reasoningLevel && reasoningLevel !== undefined
      ? filled(row.reasoningLevel, "{level}", reasoningLevel)
      : []),
    ...(hasMcpServers ? (row.mcp?.arguments ?? []) : []),
    ...(isLive ? (row.live?.arguments ?? []) : []),
  ];
  // What stands for standard input stays last.
  return words.at(-1) === "-" ? [...words.slice(0, -1), ...options, "-"] : [...words, ...options];
}

/** Within words only: a value never becomes two arguments. */
function filled(words: readonly string[], placeholder: string, value: string): string[] {
  return words.map((word) => word.replaceAll(placeholder, () => value));
}
