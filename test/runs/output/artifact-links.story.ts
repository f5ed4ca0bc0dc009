import { linkSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { collectArtifacts } from "../../../src/executor/execution/turn-artifacts.ts";
import { artifactFile } from "../../../src/runs/output/artifact-folder.ts";
import { artifactDoor } from "../../given/artifact-places.ts";
import { aFileWorker, swapForLink } from "../../given/file-worker.ts";
import { type Files, folderWith, temporaryFolder } from "../../given/folder.ts";
import { aRun, aStore } from "../../given/store.ts";

const NOW = new Date();
const ROUNDS = 4;

/** What is kept of a workspace: the content of each file by its path, and the notes about the rest. */
async function collect(workspace: string) {
  const { runs } = await aStore();
  const kept = join(temporaryFolder(), "artifacts");
  const { id } = await runs.create(aRun(), NOW.toISOString());
  const { notes } = await collectArtifacts({
    door: artifactDoor(runs, id),
    files: aFileWorker(),
    secrets: [],
    runId: id,
    turn: 1,
    workspace,
    kept,
  });
  const listed = (await runs.listArtifacts([id]))[id] ?? [];
  const files = listed.map((each) => [
    each.data.filepath,
    readFileSync(artifactFile(kept, id, each.id), "utf8"),
  ]);
  return { files: Object.fromEntries(files) as Record<string, string>, notes };
}

const many = (folder: string, content: string): Files =>
  Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`${folder}${index}.txt`, content]));

test("a folder of artifacts that becomes a link while it is copied brings nothing from where that leads", async () => {
  const outside = folderWith(many("", "secret"));
  const workspace = folderWith(many("artifacts/box/", "own"));
  await swapForLink(join(workspace, "artifacts", "box"), outside);
  for (let round = 0; round < ROUNDS; round += 1) {
    const { files } = await collect(workspace);
    expect(new Set(Object.values(files))).not.toContain("secret");
  }
});

test("artifacts/ itself that becomes a link while it is copied brings nothing from where that leads", async () => {
  const outside = folderWith(many("", "secret"));
  const workspace = folderWith(many("artifacts/", "own"));
  await swapForLink(join(workspace, "artifacts"), outside);
  for (let round = 0; round < ROUNDS; round += 1) {
    const { files } = await collect(workspace);
    expect(new Set(Object.values(files))).not.toContain("secret");
  }
});

test("artifacts that are links, or have another hard link, are not stored", async () => {
  const outside = folderWith({ "secret.txt": "secret", "hard.txt": "secret" });
  const workspace = folderWith({ "artifacts/own.txt": "own" });
  symlinkSync(join(outside, "secret.txt"), join(workspace, "artifacts", "secret.txt"));
  symlinkSync(outside, join(workspace, "artifacts", "folder"));
  linkSync(join(outside, "hard.txt"), join(workspace, "artifacts", "hard.txt"));
  const { files, notes } = await collect(workspace);
  expect(files).toEqual({ "own.txt": "own" });
  expect(notes).toEqual([expect.stringContaining("1 file in artifacts/ was not stored")]);
});

test("a workspace that is a link brings nothing", async () => {
  const outside = folderWith({ "artifacts/secret.txt": "secret" });
  const workspace = join(temporaryFolder(), "workspace");
  symlinkSync(outside, workspace);
  expect((await collect(workspace)).files).toEqual({});
});
