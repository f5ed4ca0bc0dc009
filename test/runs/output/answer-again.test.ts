import { join } from "node:path";
import { expect, test } from "vitest";
import { collectArtifacts } from "../../../src/executor/execution/turn-artifacts.ts";
import { runHere } from "../../../src/executor/files/file-jobs.ts";
import { artifactDoor } from "../../given/artifact-places.ts";
import { folderWith, temporaryFolder } from "../../given/folder.ts";
import { aRun, aStore } from "../../given/store.ts";

test("the answer of a turn is found again by the executor that takes the place of a killed one, and is listed once", async () => {
  const { runs } = await aStore();
  const { id } = await runs.create(aRun(), new Date().toISOString());
  const collect = (turn: number) =>
    collectArtifacts({
      ...{ door: artifactDoor(runs, id), files: runHere, secrets: [], runId: id, turn },
      workspace,
      kept,
    });
  const workspace = folderWith({ "artifacts/answer.md": "42" });
  const kept = join(temporaryFolder(), "artifacts");
  expect(await collect(1)).toMatchObject({ answer: "42" });
  expect(await collect(1)).toMatchObject({ answer: "42" });
  expect((await runs.listArtifacts([id]))[id]).toHaveLength(1);
  // A later turn has not answered anew.
  expect((await collect(2)).answer).toBeUndefined();
});
