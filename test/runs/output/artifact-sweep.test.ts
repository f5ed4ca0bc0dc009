import { mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { collectArtifacts } from "../../../src/executor/execution/turn-artifacts.ts";
import { runHere } from "../../../src/executor/files/file-jobs.ts";
import { newUuid } from "../../../src/id.ts";
import { artifactFolder } from "../../../src/runs/output/artifact-folder.ts";
import { artifactSweep } from "../../../src/runs/output/artifact-sweep.ts";
import { pruneRuns } from "../../../src/runs/retention.ts";
import { MAX_ARTIFACT_BYTES, MAX_OF_RUN } from "../../../src/runs/rules/artifact.ts";
import { artifactDoor } from "../../given/artifact-places.ts";
import { folderWith, temporaryFolder } from "../../given/folder.ts";
import { aRun, aStore, LEASE } from "../../given/store.ts";

const NOW = new Date();
const now = () => NOW;

/** Two runs that have left a file each, one of which has ended; and the sweep of a server that starts now. */
async function twoRuns() {
  const { runs } = await aStore();
  const kept = join(temporaryFolder(), "artifacts");
  const leave = async () => {
    const { id } = await runs.create(aRun(), NOW.toISOString());
    const workspace = folderWith({ "artifacts/answer.md": "42" });
    await collectArtifacts({
      door: artifactDoor(runs, id),
      files: runHere,
      secrets: [],
      runId: id,
      turn: 1,
      workspace,
      kept,
    });
    return id;
  };
  const [ended, waiting] = [await leave(), await leave()];
  await runs.cancel(ended, NOW.toISOString());
  const filesOf = (id: string) => readdirSync(join(kept, id));
  return {
    runs,
    kept,
    ended,
    waiting,
    filesOf,
    sweep: artifactSweep({ store: runs, kept: artifactFolder(kept), now }),
  };
}

test("files of artifacts go with their run, and those of others stay", async () => {
  const { runs, kept, ended, waiting, sweep } = await twoRuns();
  writeFileSync(join(kept, "notes"), "none of ours");
  await sweep();
  expect(readdirSync(kept).sort()).toEqual([ended, waiting, "notes"].sort());
  const later = () => new Date(NOW.getTime() + 60_000);
  await pruneRuns({ store: runs, keepMs: 1, now: later });
  expect(await runs.find(ended)).toBeUndefined();
  await sweep();
  expect(readdirSync(kept).sort()).toEqual([waiting, "notes"].sort());
});

test("files are stored in addition to reports that have used up the report limit of a run", async () => {
  const { runs } = await aStore();
  const { id } = await runs.create(aRun(), NOW.toISOString());
  const plan = { id: newUuid(), turn: 1, type: "PLAN" as const, createdAt: NOW.toISOString() };
  const data = { artifact_uid: plan.id, title: "Plan", content: "" };
  const content = "x".repeat(MAX_ARTIFACT_BYTES - JSON.stringify(data).length);
  expect(await runs.addArtifact(id, { ...plan, data: { ...data, content } }, MAX_OF_RUN)).toBeUndefined();
  const { notes } = await collectArtifacts({
    ...{ door: artifactDoor(runs, id), files: runHere, secrets: [], runId: id, turn: 1 },
    workspace: folderWith({ "artifacts/answer.md": "42" }),
    kept: join(temporaryFolder(), "artifacts"),
  });
  const kept = (await runs.listArtifacts([id]))[id] ?? [];
  expect([kept.map(({ type }) => type), notes]).toEqual([["PLAN", "FILE"], []]);
});

test("files that a crash left unlisted are removed at the next start, and files being copied stay", async () => {
  const { kept, waiting, filesOf, sweep } = await twoRuns();
  const [listed] = filesOf(waiting);
  const [old, fresh] = [newUuid(), newUuid()];
  const hourAgo = new Date(NOW.getTime() - 3_600_000);
  const hourAhead = new Date(NOW.getTime() + 3_600_000);
  for (const [name, at] of [
    [listed, hourAgo],
    [old, hourAgo],
    [fresh, hourAhead],
  ] as const) {
    const file = join(kept, waiting, name ?? "");
    if (name !== listed) writeFileSync(file, "half");
    utimesSync(file, at, at);
  }
  await sweep();
  expect(filesOf(waiting).sort()).toEqual([listed, fresh].sort());
});

test("files that a worker sent to the server before this one, and lists now, stay", async () => {
  const { runs, kept, waiting, filesOf, sweep } = await twoRuns();
  await runs.claim(1, LEASE, NOW.toISOString());
  const sent = newUuid();
  writeFileSync(join(kept, waiting, sent), "the result");
  utimesSync(join(kept, waiting, sent), 1, 1);
  await sweep();
  expect(filesOf(waiting)).toContain(sent);
});

test("a folder of a run that was never there goes, and without any folder there is nothing to do", async () => {
  const { kept, sweep, runs } = await twoRuns();
  const never = newUuid();
  mkdirSync(join(kept, never));
  await sweep();
  expect(readdirSync(kept)).not.toContain(never);
  await artifactSweep({ store: runs, kept: artifactFolder(join(temporaryFolder(), "nowhere")), now })();
});
