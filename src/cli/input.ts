import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline/promises";
import { text } from "node:stream/consumers";
import { errorMessage, MillraceError } from "../errors/error.ts";
import { print } from "./output.ts";

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

/**
 * A text that is an argument, comes from standard input for `-`, or from a file.
 * @throws MillraceError `invalid_request` when there is none, or the file cannot be read
 */
export async function givenText(
  argument: string | undefined,
  { file, name }: { file?: string | undefined; name: string },
): Promise<string> {
  const given =
    file !== undefined ? await readTextFile(file) : argument === "-" ? await text(process.stdin) : argument;
  const whole = withoutLineEnd(given ?? "");
  if (whole.trim() !== "") return whole;
  throw new MillraceError("invalid_request", `The ${name} is empty.`, {
    remedy: `Pass the ${name} as an argument, or pass - and write it to standard input.`,
  });
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

const END = "\u0004";
const INTERRUPT = "\u0003";
const ERASE = new Set(["\u007f", "\b"]);
const ERASE_LINE = "\u0015";

/**
 * A secret from a file, or from standard input for `-`. What a person types is not shown: it would stay in the terminal.
 * @param what asks for it where a person types it
 * @throws MillraceError `invalid_request` when it cannot be read
 */
export function readSecretText(path: string, what: string): Promise<string> {
  return path === "-" && process.stdin.isTTY ? readHidden(what) : readText(path, what);
}

/** Reads keys as they are pressed, so that the terminal shows none; a pasted secret may have several lines. */
async function readHidden(what: string): Promise<string> {
  const { stdin, stderr } = process;
  stdin.setEncoding("utf8");
  // Before the prompt: until then the terminal shows what is typed, and takes a Ctrl-D for itself.
  stdin.setRawMode(true);
  stderr.write(`Enter the ${what} (it is not displayed), then press Ctrl-D:\n`);
  let typed = "";
  try {
    for await (const keys of stdin) {
      for (const key of keys as string) {
        if (key === END) return typed;
        // Without its own meaning of the key, the terminal sends no signal.
        if (key === INTERRUPT) {
          stdin.setRawMode(false);
          process.kill(process.pid, "SIGINT");
        }
        if (ERASE.has(key)) typed = [...typed].slice(0, -1).join("");
        else if (key === ERASE_LINE) typed = typed.slice(0, typed.lastIndexOf("\n") + 1);
        else typed += key === "\r" ? "\n" : key;
      }
    }
    return typed;
  } finally {
    stdin.setRawMode(false);
  }
}

/**
 * Asks a person whether to go on. `--yes` has answered already.
 * @param question what would happen, ending with a question mark
 * @returns whether to go on
 * @throws MillraceError `invalid_request` where there is no terminal to ask at
 */
export async function confirm(question: string, { yes }: { yes?: boolean | undefined }): Promise<boolean> {
  if (yes) return true;
  if (!process.stdin.isTTY) {
    throw new MillraceError(
      "invalid_request",
      "This command requires confirmation, but standard input is not a terminal.",
      {
        remedy: "Review the changes above, then run the command again with --yes.",
      },
    );
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question(`${question} [y/N] `);
    if (/^y(es)?$/i.test(answer.trim())) return true;
  } finally {
    terminal.close();
  }
  print("Nothing was changed.");
  return false;
}
