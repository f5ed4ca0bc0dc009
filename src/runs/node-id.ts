import { readFile, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { newUid } from "../id.ts";

/** In the data folder. */
const FILE = "node.json";

/**
 * What a server is known by to the others that share its store: the same after each start in a data folder, so that it ends what it
 * has left itself and leaves alone what others do. A copy of the folder on another machine is another server.
 */
export async function nodeId(folder: string): Promise<string> {
  const path = join(folder, FILE);
  const known = await readFile(path, "utf8").then(parsed, () => undefined);
  if (known?.host === hostname()) return known.id;
  const id = newUid();
  await writeFile(path, `${JSON.stringify({ id, host: hostname() })}\n`);
  return id;
}

function parsed(text: string): { id: string; host: string } | undefined {
  try {
    const { id, host } = JSON.parse(text);
    return typeof id === "string" && id !== "" && typeof host === "string" ? { id, host } : undefined;
  } catch {
    return undefined;
  }
}
