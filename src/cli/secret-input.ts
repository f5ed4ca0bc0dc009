import { readText } from "./input.ts";

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
