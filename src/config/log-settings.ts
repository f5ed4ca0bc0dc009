import { LOG_LEVELS, type LogLevel } from "../log.ts";
import { required } from "./setting.ts";
import { oneOf } from "./values.ts";

/** What the server logs, and for whom. */
export const logSettings = {
  logLevel: required<LogLevel>({
    env: "MILLRACE_LOG_LEVEL",
    flag: "--log-level",
    inFile: true,
    parse: oneOf(LOG_LEVELS),
    fallback: "info",
    help: LOG_LEVELS.join(", "),
  }),
  logFormat: required<"auto" | "json" | "text">({
    env: "MILLRACE_LOG_FORMAT",
    flag: "--log-format",
    inFile: true,
    parse: oneOf(["auto", "json", "text"] as const),
    fallback: "auto",
    help: "format of the log: json, text with each delivery and run, or auto for text on a terminal and json elsewhere",
  }),
};
