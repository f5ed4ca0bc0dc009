import { createHash, randomBytes } from "node:crypto";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { deferred } from "../../../src/concurrency/promises.ts";
import { newUuid } from "../../../src/id.ts";
import { artifactRows, ROW_BYTES } from "../../../src/runs/output/artifact-rows.ts";
import { aFile, inRows, PLACES, piece, runsIn, textOf } from "../../given/artifact-places.ts";
import { temporaryFolder } from "../../given/folder.ts";
import { aStore } from "../../given/store.ts";

describe.each(PLACES)("the bytes of artifacts as %s", (_, given) => {
  test("are there when the last piece is, and not before", async () => {
    const { kept, again } = await given();
    const file = aFile();
    expect(await kept.open(file)).toBeUndefined();
    await kept.write(file, piece("one ", 0, false));
    expect(await kept.open(file)).toBeUndefined();
    await kept.write(file, piece("two", 4));
    expect(await textOf(again(), file)).toBe("one two");
    expect((await kept.list(file.runId)).length).toBe(1);
  });

  test("may be none", async () => {
    const { kept } = await given();
    const file = aFile();
    await kept.write(file, { bytes: Readable.from([]), offset: 0, isLast: true });
    expect(await textOf(kept, file)).toBe("");
  });

  test("go on where they stopped, in another process too, and what did not come whole is written over", async () => {
    const { kept, again } = await given();
    const file = aFile();
    const broken = new PassThrough();
    // A request tells nobody that it has ended before it is read; this stream would.
    broken.on("error", () => {});
    broken.write(Buffer.alloc(3 * ROW_BYTES + 7, "x"));
    const writing = kept.write(file, { bytes: broken, offset: 0, isLast: true });
    setImmediate(() => broken.destroy(new Error("the sender is gone")));
    await expect(writing).rejects.toThrow();
    await kept.write(file, piece(Buffer.alloc(2 * ROW_BYTES, "a"), 0, false));
    // Inside a row, and further back than the last piece went.
    await again().write(file, piece("the end", ROW_BYTES + 5));
    expect(await textOf(kept, file)).toBe(`${"a".repeat(ROW_BYTES + 5)}the end`);
  });

  test("do not begin behind what is there", async () => {
    const { kept } = await given();
    const file = aFile();
    await kept.write(file, piece("1234", 0, false));
    await expect(kept.write(file, piece("x", 5))).rejects.toThrow("no 5 bytes yet");
    await expect(kept.write(aFile(), piece("x", 1))).rejects.toThrow("no 1 bytes yet");
    await kept.write(file, piece("5", 4));
    expect(await textOf(kept, file)).toBe("12345");
  });

  test("are the same when the last piece is sent again, because its answer was lost", async () => {
    const { kept } = await given();
    const file = aFile();
    await kept.write(file, piece("one ", 0, false));
    for (let sent = 0; sent < 2; sent += 1) await kept.write(file, piece("two", 4));
    expect(await textOf(kept, file)).toBe("one two");
  });

  test("are read from anywhere to anywhere", async () => {
    const { kept } = await given();
    const file = aFile();
    const content = randomBytes(2 * ROW_BYTES + 100);
    await kept.write(file, { bytes: Readable.from(inChunks(content, 10_000)), offset: 0, isLast: true });
    for (const [start, end] of [
      [0, content.length],
      [0, 1],
      [ROW_BYTES - 1, ROW_BYTES + 1],
      [ROW_BYTES, 2 * ROW_BYTES],
      [content.length - 1, content.length],
      [7, 7],
      [2 * ROW_BYTES, 10 * ROW_BYTES],
    ] as const) {
      const found = await kept.open(file, { start, end });
      expect(found?.size).toBe(content.length);
      expect(found && (await buffer(found.bytes)).equals(content.subarray(start, end))).toBe(true);
    }
  });

  test("are taken from a file of the disk, and from memory", async () => {
    const { kept } = await given();
    const [fromDisk, fromMemory] = [aFile(), aFile()];
    const path = join(temporaryFolder(), "left");
    writeFileSync(path, "of an agent");
    await kept.take(fromDisk, path);
    await kept.add(fromMemory, Buffer.from("reported"));
    expect([await textOf(kept, fromDisk), existsSync(path)]).toEqual(["of an agent", false]);
    expect(await textOf(kept, fromMemory)).toBe("reported");
  });

  test("go with their file or with their run, and those of other runs stay", async () => {
    const { kept } = await given();
    const [one, other] = [aFile(), aFile()];
    const sibling = { ...one, fileId: newUuid() };
    for (const file of [one, sibling, other]) await kept.write(file, piece(Buffer.alloc(ROW_BYTES + 1)));
    await kept.remove(one);
    expect([await kept.open(one), await kept.list(one.runId)]).toEqual([undefined, [sibling.fileId]]);
    await kept.write(one, piece("half", 0, false));
    await kept.removeRun(one.runId);
    await kept.removeRun(newUuid());
    expect(await kept.list(one.runId)).toEqual([]);
    expect(await runsIn(kept)).toEqual([other.runId]);
    expect((await textOf(kept, other))?.length).toBe(ROW_BYTES + 1);
  });

  test("are listed by runs, however many there are", async () => {
    const { kept } = await given();
    const files = Array.from({ length: 120 }, aFile);
    for (const file of files) await kept.add(file, Buffer.from("x"));
    expect((await runsIn(kept)).sort()).toEqual(files.map(({ runId }) => runId).sort());
  });

  test("take memory for a little of a large file at a time", async () => {
    const { kept } = await given();
    const file = aFile();
    const MIB = 1024 * 1024;
    const block = Buffer.alloc(MIB, "m");
    let most = 0;
    const before = memory();
    const watch = () => {
      most = Math.max(most, memory() - before);
    };
    await kept.write(file, {
      bytes: Readable.from(
        (async function* () {
          for (let sent = 0; sent < 200; sent += 1) {
            watch();
            yield block;
          }
        })(),
      ),
      offset: 0,
      isLast: true,
    });
    const hash = createHash("sha256");
    const found = await kept.open(file);
    for await (const chunk of found?.bytes ?? []) {
      watch();
      hash.update(chunk);
    }
    const expected = createHash("sha256");
    for (let sent = 0; sent < 200; sent += 1) expected.update(block);
    expect([found?.size, hash.digest("hex")]).toEqual([200 * MIB, expected.digest("hex")]);
    expect(most).toBeLessThan(100 * MIB);
    await kept.removeRun(file.runId);
  }, 60_000);
});

describe("rows that several servers share", () => {
  test("the server that has begun a piece later wins, and the other one says so", async () => {
    const { kept, again } = await inRows();
    const file = aFile();
    const [begun, goOn] = [deferred<void>(), deferred<void>()];
    const slow = kept.write(file, {
      bytes: (async function* () {
        yield Buffer.alloc(ROW_BYTES, "s");
        begun.resolve();
        await goOn.promise;
        yield Buffer.alloc(ROW_BYTES, "s");
      })(),
      offset: 0,
      isLast: true,
    });
    slow.catch(() => {});
    await begun.promise;
    await again().write(file, piece("fast"));
    goOn.resolve();
    await expect(slow).rejects.toMatchObject({ code: "service_unavailable" });
    expect(await textOf(kept, file)).toBe("fast");
  });

  test("a file that is deleted while it is written is not there afterwards", async () => {
    const { kept, again } = await inRows();
    const file = aFile();
    const writing = kept.write(file, {
      bytes: (async function* () {
        yield Buffer.alloc(ROW_BYTES, "s");
        await again().removeRun(file.runId);
        yield Buffer.alloc(ROW_BYTES, "s");
      })(),
      offset: 0,
      isLast: true,
    });
    await expect(writing).rejects.toMatchObject({ code: "service_unavailable" });
    expect(await runsIn(kept)).toEqual([]);
  });

  test("a file that is deleted while it is read ends with an error, and not as if it were whole", async () => {
    const { kept } = await inRows();
    const file = aFile();
    await kept.write(file, piece(Buffer.alloc(8 * ROW_BYTES)));
    const found = await kept.open(file);
    const reading = (async () => {
      for await (const _ of found?.bytes ?? []) await kept.removeRun(file.runId);
    })();
    await expect(reading).rejects.toThrow("was deleted while it was read");
  });

  test("no row is larger than 256 KiB", async () => {
    const store = await aStore();
    const kept = artifactRows(store.artifactRows, () => new Date());
    await kept.write(aFile(), piece(Buffer.alloc(3 * ROW_BYTES + 1)));
    const rows = await store.connection.all<{ size: number }>(
      "SELECT LENGTH(bytes) AS size FROM artifact_bytes ORDER BY position",
    );
    expect(rows.map(({ size }) => size)).toEqual([ROW_BYTES, ROW_BYTES, ROW_BYTES, 1]);
  });
});

function* inChunks(bytes: Buffer, size: number): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

function memory(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
