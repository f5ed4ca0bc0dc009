import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { EVENT_PAYLOAD, EVENT_PAYLOADS } from "../../runs/rules/workspace-names.ts";
import type { TurnDoor } from "../../runs/turn/turn-door.ts";
import { writeOwnFile } from "./own-file.ts";

/** Those attachments that are deliveries of a run that has several, oldest first. */
export function joinedPayloads(attachmentNames: readonly string[]): string[] {
  return attachmentNames.filter((name) => name.startsWith(`${EVENT_PAYLOADS}/`)).sort();
}

/** Writes the bodies of deliveries that have come since the last turn, into the workspace that it has left. */
export async function writeNewPayloads(
  workspace: string,
  joined: readonly string[],
  door: Pick<TurnDoor, "findAttachment">,
): Promise<void> {
  const missing: string[] = [];
  for (const name of joined) if (!(await isThere(join(workspace, name)))) missing.push(name);
  if (missing.length === 0) return;
  for (const name of [...missing, EVENT_PAYLOAD]) {
    const attachment = await door.findAttachment(name);
    if (attachment) await writeOwnFile(workspace, name.split("/"), attachment.content);
  }
}

/** What an agent has put there instead is looked at no further: the file is only written where nothing is. */
async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
