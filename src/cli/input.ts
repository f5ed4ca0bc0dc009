import { readFile } from "node:fs/promises";
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
  const text = await readTextFile(path);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new MillraceError("invalid_request", `${path} is not valid JSON: ${errorMessage(error)}.`);
  }
}
