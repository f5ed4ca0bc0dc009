import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { errorMessage, MillraceError } from "../error.ts";

/** A file that an option names. @throws MillraceError `invalid_request` when it cannot be read */
export async function readTextFile(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    throw new MillraceError("invalid_request", `${path} cannot be read: ${errorMessage(error)}.`, {
      remedy: "Name a file that exists and that you may read.",
    });
  }
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
