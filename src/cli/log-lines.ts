import type { Config } from "../config/config.ts";
import { createLog, type Log } from "../log.ts";
import { colored, coloredStatus, hasColor } from "./output.ts";
import { withoutControl } from "./terminal-text.ts";

/** Whether the log is for a person: by the setting, or because it goes to a terminal. */
export function isTextLog({ logFormat }: Pick<Config, "logFormat">): boolean {
  return logFormat === "text" || (logFormat === "auto" && process.stderr.isTTY === true);
}

/** The log of a server: lines for a person, or JSON for a program. */
export function openLog(config: Pick<Config, "logFormat" | "logLevel">): Log {
  if (!isTextLog(config)) return createLog(config.logLevel);
  return createLog(config.logLevel, {
    write(line: string) {
      process.stderr.write(`${textLine(JSON.parse(line), hasColor(process.stderr))}\n`);
    },
  });
}

/** One entry: its time, its level unless it is ordinary, what happened, and to what. Values may come from senders and agents. */
export function textLine(
  { level, time, msg, ...facts }: Record<string, unknown>,
  isColored: boolean,
): string {
  const clock = String(time).slice(11, 19);
  const paint = (text: string, color: "red" | "yellow" | "dim") => (isColored ? colored(text, color) : text);
  const rank =
    level === "info" ? "" : paint(` ${String(level).toUpperCase()}`, level === "warn" ? "yellow" : "red");
  const told = Object.entries(facts)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => {
      const text = plain(typeof value === "string" ? value : JSON.stringify(value));
      return `${paint(`${name}=`, "dim")}${isColored ? coloredStatus(name, text) : text}`;
    });
  return [`${paint(clock, "dim")}${rank}`, plain(String(msg)), ...told].join("  ");
}

function plain(text: string): string {
  return withoutControl(text).replace(/[\t\n]/g, " ");
}
