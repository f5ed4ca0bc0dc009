import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { errorMessage, MillraceError } from "../errors/error.ts";

/** A file that an option names. @throws MillraceError `invalid_request` when it cannot be read */
export async function readBytesFile(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    throw new MillraceError("invalid_request", `Cannot read ${path}: ${errorMessage(error)}.`, {
      remedy: "Specify an existing file that you have permission to read.",
    });
  }
}

/** @throws MillraceError `invalid_request` when it cannot be read */
export async function readTextFile(path: string): Promise<string> {
  return (await readBytesFile(path)).toString("utf8");
}

/** A text from a file, or from standard input for `-`. @param what asks for it where a person types it */
export async function readText(path: string, what: string): Promise<string> {
  if (path !== "-") return readTextFile(path);
  if (process.stdin.isTTY) process.stderr.write(`Enter the ${what}, then press Ctrl-D:\n`);
  return text(process.stdin);
}

/** One line end is what an editor or `echo` adds; more may be meant. */
export function withoutLineEnd(text: string): string {
  return text.replace(/\r?\n$/, "");
}

/** @throws MillraceError `invalid_request` when it cannot be read or is not JSON */
export async function readJsonFile(path: string): Promise<unknown> {
  return parseJson(await readTextFile(path), path);
}

/** A JSON object from a file, or from standard input for `-`. @throws MillraceError `invalid_request` */
export async function readJsonObject(path: string): Promise<Record<string, unknown>> {
  const value =
    path === "-" ? parseJson(await text(process.stdin), "standard input") : await readJsonFile(path);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  const place = path === "-" ? "Standard input" : path;
  throw new MillraceError("invalid_request", `${place} must contain a JSON object.`);
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new MillraceError("invalid_request", `${path} is not valid JSON: ${errorMessage(error)}.`);
  }
}
