import { open } from "node:fs/promises";
import type { ExternalPlace } from "../config/config.ts";
import { errorMessage, MillraceError, systemCode } from "../errors/error.ts";

/** What an environment variable can hold, with its name (contract.md, 8). */
const MAX_BYTES = 131_071;

/** Where a value is kept, as a person calls it. */
export function nameOfPlace(place: ExternalPlace): string {
  return "env" in place ? `the variable ${place.env} of the server` : `the file ${place.file}`;
}

/**
 * A value from an environment variable or a mounted file, without the line end that editors put behind it.
 * @returns nothing when it is not there, or empty
 * @throws MillraceError `conflict` for what is there and cannot be a value; nothing of it is shown
 */
export async function readOutside(
  place: ExternalPlace,
  env: Record<string, string | undefined>,
): Promise<string | undefined> {
  if ("env" in place) return env[place.env] || undefined;
  const bytes = await readStart(place.file, MAX_BYTES + 1);
  if (bytes === undefined) return undefined;
  if (bytes.length > MAX_BYTES) throw unusable(place.file, `is larger than ${MAX_BYTES} bytes`);
  const value = textOf(bytes);
  if (value === undefined) throw unusable(place.file, "is not UTF-8 text, or contains a NUL character");
  return value.replace(/\r?\n$/, "") || undefined;
}

/** The first bytes of a file; nothing when there is none. A pipe would keep whoever opens it waiting. */
async function readStart(path: string, most: number): Promise<Buffer | undefined> {
  const file = await open(path, "r").catch((error) => {
    if (systemCode(error) === "ENOENT") return undefined;
    throw unusable(path, `cannot be read: ${errorMessage(error)}`);
  });
  if (!file) return undefined;
  try {
    if (!(await file.stat()).isFile()) throw unusable(path, "is not a regular file");
    const buffer = Buffer.alloc(most);
    let length = 0;
    for (let read = 1; read > 0 && length < most; length += read) {
      read = (await file.read(buffer, length, most - length)).bytesRead;
    }
    return buffer.subarray(0, length);
  } finally {
    await file.close();
  }
}

function textOf(bytes: Buffer): string | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}

function unusable(path: string, why: string): MillraceError {
  return new MillraceError("conflict", `The secret file ${path} ${why}.`, {
    remedy:
      "Check the path in secrets:, credentials: or the …_FILE setting, and that the server's user can read the file.",
    retryable: false,
  });
}
