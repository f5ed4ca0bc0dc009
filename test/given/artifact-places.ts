import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { newUuid } from "../../src/id.ts";
import type { ArtifactBytes, ArtifactFile } from "../../src/runs/output/artifact-bytes.ts";
import { artifactFolder } from "../../src/runs/output/artifact-folder.ts";
import { artifactRows } from "../../src/runs/output/artifact-rows.ts";
import { fileArtifact, MAX_FILES } from "../../src/runs/rules/artifact.ts";
import type { RunStore } from "../../src/runs/run-store.ts";
import type { TurnDoor } from "../../src/runs/turn/turn-door.ts";
import { openArtifactBytes } from "../../src/server/open-storage.ts";
import { temporaryFolder } from "./folder.ts";
import { POSTGRES_URL } from "./postgres.ts";
import { aStore, storeOf } from "./store.ts";

export interface GivenPlace {
  kept: ArtifactBytes;
  runs: RunStore;
  /** The same place, as another server or a later process has it. */
  again(): ArtifactBytes;
  /** Moves the clock that changes are dated with. */
  clock: { now: Date };
}

async function inFolder(): Promise<GivenPlace> {
  const { runs } = await aStore();
  const folder = join(temporaryFolder(), "artifacts");
  const again = () => artifactFolder(folder);
  return { kept: again(), runs, again, clock: { now: new Date() } };
}

/** Rows in a store, as several servers have them. */
export async function inRows(): Promise<GivenPlace> {
  const { runs, artifactRows: rows } = await aStore();
  const clock = { now: new Date() };
  const again = () => artifactRows(rows, () => clock.now);
  return { kept: again(), runs, again, clock };
}

/** The implementations of the port, each with a store of runs beside it. */
export const PLACES = Object.entries({ "files in a folder": inFolder, "rows in the store": inRows });

/** Where a server keeps the files of its runs. */
export async function artifactsOf(server: { dataDir: string }): Promise<ArtifactBytes> {
  const { artifactRows: rows } = await storeOf(server);
  const isShared = POSTGRES_URL !== undefined;
  return openArtifactBytes(join(server.dataDir, "artifacts"), { rows, isShared, now: () => new Date() }).kept;
}

export const aFile = (): ArtifactFile => ({ runId: newUuid(), fileId: newUuid() });

/** A piece of a file, which is its whole content unless something else is said. */
export const piece = (content: string | Uint8Array, offset = 0, isLast = true) => ({
  bytes: Readable.from([Buffer.from(content)]),
  offset,
  isLast,
});

export async function textOf(kept: ArtifactBytes, file: ArtifactFile): Promise<string | undefined> {
  const found = await kept.open(file);
  return found && (await buffer(found.bytes)).toString();
}

/** The runs that have something there. */
export async function runsIn(kept: ArtifactBytes): Promise<string[]> {
  const found: string[] = [];
  for await (const runIds of kept.listRuns()) found.push(...runIds);
  return found;
}

/** The part of a turn's door through which the files of its agent are listed. */
export function artifactDoor(
  store: Pick<RunStore, "addArtifact" | "listArtifacts">,
  runId: string,
): Pick<TurnDoor, "addFile" | "listArtifacts"> {
  return {
    addFile: (file) => store.addArtifact(runId, fileArtifact(file, { turn: 1, at: new Date() }), MAX_FILES),
    listArtifacts: async () => (await store.listArtifacts([runId]))[runId] ?? [],
  };
}
