import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { errorMessage, MillraceError } from "../error.ts";

/** A file that an option names. @throws MillraceError `invalid_request` when it cannot be read */
export async function readBytesFile(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    throw new MillraceError("invalid_request", `${path} cannot be read: ${errorMessage(error)}.`, {
      remedy: "Name a file that exists and that you may read.",
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
  if (process.stdin.isTTY) process.stderr.write(`Type the ${what}, then Ctrl-D:\n`);
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
  throw new MillraceError(
    "invalid_request",
    `${place} has to be a JSON object, with names and values in {}.`,
  );
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new MillraceError("invalid_request", `${path} is not valid JSON: ${errorMessage(error)}.`);
  }
}
