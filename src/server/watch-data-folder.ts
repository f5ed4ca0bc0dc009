import { stat } from "node:fs/promises";
import { systemCode } from "../errors/error.ts";

/** Senders get 202 for what is lost until a deleted folder is noticed, so it is looked for often. */
const LOOK_EVERY_MS = 500;

/**
 * Looks whether files that this server has open are still where it opened them: a database that was deleted or replaced
 * takes writes all the same, and no one will find them.
 * @param onGone is called once, with the path
 * @returns what ends it
 */
export async function watchDataFolder(
  paths: readonly string[],
  onGone: (path: string) => void,
): Promise<() => void> {
  const opened = await Promise.all(paths.map(async (path) => ({ path, identity: await identityOf(path) })));
  let looking = false;
  async function look(): Promise<void> {
    if (looking) return;
    looking = true;
    for (const { path, identity } of opened) {
      const found = await identityOf(path);
      if (found === identity || found === undefined) continue;
      clearInterval(timer);
      return onGone(path);
    }
    looking = false;
  }
  const timer = setInterval(() => void look(), LOOK_EVERY_MS);
  return () => clearInterval(timer);
}

/** What a file is known by, whatever it is called; "gone" where there is none, nothing where the disk does not answer. */
async function identityOf(path: string): Promise<string | undefined> {
  try {
    const { dev, ino } = await stat(path, { bigint: true });
    return `${dev}:${ino}`;
  } catch (error) {
    return ["ENOENT", "ENOTDIR", "ESTALE"].includes(systemCode(error) ?? "") ? "gone" : undefined;
  }
}
