import { createHash } from "node:crypto";
import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import { newUuid } from "../../../src/id.ts";
import { ROW_BYTES } from "../../../src/runs/output/artifact-rows.ts";
import { artifactSweep } from "../../../src/runs/output/artifact-sweep.ts";
import { fileArtifact, MAX_FILES } from "../../../src/runs/rules/artifact.ts";
import type { RunStore } from "../../../src/runs/run-store.ts";
import { uploadedFiles } from "../../../src/workers/uploaded-files.ts";
import { aFile, PLACES, piece, runsIn, textOf } from "../../given/artifact-places.ts";
import { aRun, LEASE } from "../../given/store.ts";

const HOUR_MS = 3_600_000;

const sha256Of = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

describe.each(PLACES)("the bytes of artifacts as %s", (_, given) => {
  test("of an upload count only with the hash that was told", async () => {
    const { kept } = await given();
    const uploads = uploadedFiles(kept, () => true);
    const { runId, fileId: id } = aFile();
    await uploads.receive(runId, id, piece("x"), new Map());
    const told = (text: string) => ({ id, size: text.length, sha256: sha256Of(Buffer.from(text)) });
    const answers = [told("x"), told("y"), { ...told("x"), size: 2 }, { ...told("x"), id: newUuid() }];
    const found = [];
    for (const each of answers) found.push(await uploads.has(runId, each));
    expect(found).toEqual([true, false, false, false]);
    await uploads.remove(runId, id);
    expect(await uploads.has(runId, told("x"))).toBe(false);
  });

  test("of a piece that is sent again while it comes are those of the later one", async () => {
    const { kept } = await given();
    const uploads = uploadedFiles(kept, () => true);
    const { runId, fileId: id } = aFile();
    const hanging = new PassThrough();
    hanging.write(Buffer.alloc(2 * ROW_BYTES, "o"));
    const first = uploads.receive(runId, id, { bytes: hanging, offset: 0, isLast: true }, new Map());
    first.catch(() => {});
    await uploads.receive(runId, id, piece("again"), new Map());
    // The sender of the first one may repeat it: nothing of the server has failed.
    await expect(first).rejects.toMatchObject({ code: "service_unavailable", retryable: true });
    expect(await textOf(kept, { runId, fileId: id })).toBe("again");
  });

  test("of a piece that is sent again are those of the later one, whichever list of files comes first", async () => {
    const { kept } = await given();
    let asked = 0;
    const slow = {
      ...kept,
      async list(of: string) {
        asked += 1;
        if (asked === 1) await new Promise((resolve) => setTimeout(resolve, 200));
        return kept.list(of);
      },
    };
    const uploads = uploadedFiles(slow, () => true);
    const { runId, fileId: id } = aFile();
    const hanging = new PassThrough();
    hanging.write("old");
    const first = uploads.receive(runId, id, { bytes: hanging, offset: 0, isLast: true }, new Map());
    first.catch(() => {});
    await uploads.receive(runId, id, piece("again"), new Map());
    await expect(first).rejects.toMatchObject({ code: "service_unavailable" });
    expect(await textOf(kept, { runId, fileId: id })).toBe("again");
  });

  test("of a piece whose sender leaves are not there, and nothing of the server has failed", async () => {
    const { kept } = await given();
    const uploads = uploadedFiles(kept, () => true);
    const { runId, fileId: id } = aFile();
    const leaving = new PassThrough();
    leaving.write("half");
    // It may leave before anybody reads it.
    leaving.on("error", () => {});
    setImmediate(() => leaving.destroy(new Error("aborted")));
    const left = uploads.receive(runId, id, { bytes: leaving, offset: 0, isLast: true }, new Map());
    await expect(left).rejects.toMatchObject({ code: "service_unavailable", retryable: true });
    expect(await kept.open({ runId, fileId: id })).toBeUndefined();
  });

  test("of an upload are bounded for a turn, files for a run, and wait for room on the disk", async () => {
    const { kept } = await given();
    const { runId } = aFile();
    const uploads = uploadedFiles(kept, () => true);
    const received = new Map([[newUuid(), 256 * 1024 * 1024]]);
    await expect(uploads.receive(runId, newUuid(), piece("x"), received)).rejects.toThrow("larger than");
    const full = uploadedFiles(kept, () => false);
    await expect(full.receive(runId, newUuid(), piece("x"), new Map())).rejects.toThrow("no room");
    await expect(uploads.receive(runId, "../x", piece("x"), new Map())).rejects.toThrow("UUID");
    for (let left = (await kept.list(runId)).length; left < 2 * MAX_FILES.count; left += 1)
      await kept.add({ runId, fileId: newUuid() }, Buffer.from("x"));
    await expect(uploads.receive(runId, newUuid(), piece("x"), new Map())).rejects.toThrow("more than");
  });

  test("of an upload that begins again take the place of the whole file, and count once", async () => {
    const { kept } = await given();
    const uploads = uploadedFiles(kept, () => true);
    const { runId, fileId } = aFile();
    const received = new Map<string, number>();
    await uploads.receive(runId, fileId, piece("whole"), received);
    await uploads.receive(runId, fileId, piece("", 0, false), received);
    expect(await kept.open({ runId, fileId })).toBeUndefined();
    expect([...received.values()]).toEqual([0]);
  });

  test("of many uploads that begin at once are bounded as those one after the other", async () => {
    const { kept } = await given();
    const uploads = uploadedFiles(kept, () => true);
    const { runId } = aFile();
    const before = Array.from({ length: 2 * MAX_FILES.count - 3 }, () => [newUuid(), 1] as const);
    const received = new Map(before);
    const all = Array.from({ length: 9 }, () => uploads.receive(runId, newUuid(), piece("x"), received));
    const outcomes = await Promise.allSettled(all);
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
    expect(await kept.list(runId)).toHaveLength(3);
  });

  test("that nothing lists are swept when they are old, and never those of a run at work", async () => {
    const { kept, runs, clock } = await given();
    const started = new Date();
    const [waiting, working] = [await aStoredRun(runs), await aStoredRun(runs)];
    const listed = { runId: waiting, fileId: newUuid() };
    const left = { runId: waiting, fileId: newUuid() };
    const half = { runId: waiting, fileId: newUuid() };
    const sent = { runId: working, fileId: newUuid() };
    const gone = aFile();
    for (const file of [listed, left, sent, gone]) await kept.add(file, Buffer.from("x"));
    await kept.write(half, piece("x", 0, false));
    const told = { id: listed.fileId, path: "a.txt", size: 1, sha256: "", holdsSecret: false };
    await runs.addArtifact(waiting, fileArtifact(told, { turn: 1, at: started }), MAX_FILES);
    await runs.cancel(waiting, started.toISOString());
    await runs.claim(1, LEASE, started.toISOString());
    // Whoever has just written them may be about to list them.
    const early = new Date(started.getTime() - HOUR_MS);
    await artifactSweep({ store: runs, kept, now: () => early })();
    const filesOf = async (runId: string) => (await kept.list(runId)).map((name) => name.slice(0, 36)).sort();
    expect(await filesOf(waiting)).toEqual([listed, left, half].map(({ fileId }) => fileId).sort());
    expect(await runsIn(kept)).not.toContain(gone.runId);
    const later = new Date(started.getTime() + 2 * HOUR_MS);
    clock.now = later;
    await artifactSweep({ store: runs, kept, now: () => later })();
    expect(await filesOf(waiting)).toEqual([listed.fileId]);
    expect(await filesOf(working)).toEqual([sent.fileId]);
  });
});

async function aStoredRun(runs: RunStore): Promise<string> {
  return (await runs.create(aRun(), new Date().toISOString())).id;
}
