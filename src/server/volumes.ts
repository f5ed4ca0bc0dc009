import { statSync } from "node:fs";
import { dirname } from "node:path";
import type { Volume } from "../executor/workspace/disk-room.ts";

interface Folders {
  path: string;
  database: string;
  reserve: string;
  workspaces: string;
}

/** The file systems that a server and its runs write to, each once. */
export function volumesOf({ path, database, reserve, workspaces }: Folders): Volume[] {
  const ofDatabase: Volume = { folder: dirname(database), hasWorkspaces: false, reserve };
  const ofData: Volume = { folder: path, hasWorkspaces: dirname(workspaces) === path };
  const all = ofData.hasWorkspaces
    ? [ofDatabase, ofData]
    : [ofDatabase, ofData, { folder: workspaces, hasWorkspaces: true }];
  const byDevice = new Map<number, Volume>();
  for (const volume of all) {
    const { dev } = statSync(volume.folder);
    const known = byDevice.get(dev);
    byDevice.set(
      dev,
      known ? { ...known, hasWorkspaces: known.hasWorkspaces || volume.hasWorkspaces } : volume,
    );
  }
  return [...byDevice.values()];
}
