import { lstatSync, readdirSync, rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { folderSource, REST_MS, readFolder } from "../../src/git/folder.ts";
import type { Tree } from "../../src/git/revision.ts";
import { folderWith, writeFiles } from "../given/folder.ts";

/** When the system last changed something in a folder. */
const newest = (folder: string) =>
  Math.max(
    ...[".", ...readdirSync(folder, { recursive: true, encoding: "utf8" })].map(
      (path) => lstatSync(join(folder, path)).ctimeMs,
    ),
  );

const textsOf = async ({ entries, read }: Tree) => {
  const contents = await read(entries);
  return Object.fromEntries(entries.map(({ path, id }) => [path, String(contents.get(id))]));
};

describe("a folder of a factory is read", () => {
  test.each<[string, (folder: string, step: number) => void]>([
    ["file by file", (folder, step) => writeFiles(folder, { [`f${step}`]: "new" })],
    ["by removing files", (folder, step) => rmSync(join(folder, `f${step}`))],
    [
      "with times of content from long ago",
      (folder, step) => {
        writeFiles(folder, { [`f${step}`]: "new" });
        utimesSync(join(folder, `f${step}`), 1, 1);
      },
    ],
  ])("when it is saved %s only after the last of them", async (_, save) => {
    const folder = folderWith(Object.fromEntries([..."01234567"].map((step) => [`f${step}`, "old"])));
    save(folder, 0);
    let step = 1;
    const tree = await folderSource(folder, undefined, {
      now: () => newest(folder) + (step < 8 ? 102 : REST_MS),
      wait: async () => save(folder, step++),
    }).latest();
    expect(step).toBe(8);
    expect(tree.revision.id).toBe((await readFolder(folder)).revision.id);
  });

  test("again when something in it changes while it is read", async () => {
    const folder = folderWith({ a: "1", b: "1" });
    let looks = 0;
    const tree = await folderSource(folder, undefined, {
      now: () => {
        looks += 1;
        // The second look is the one after the reading.
        if (looks === 2) writeFiles(folder, { a: "2", b: "2" });
        return newest(folder) + REST_MS;
      },
      wait: async () => {},
    }).latest();
    expect(looks).toBeGreaterThan(2);
    expect(await textsOf(tree)).toEqual({ a: "2", b: "2" });
  });

  test("at once when it has long been at rest", async () => {
    const folder = folderWith({ a: "1", "b/c": "1" });
    const wait = () => Promise.reject(new Error("waited"));
    const tree = await folderSource(folder, undefined, {
      now: () => newest(folder) + REST_MS,
      wait,
    }).latest();
    expect(await textsOf(tree)).toEqual({ a: "1", "b/c": "1" });
  });

  test("also when times of its files are in the future", async () => {
    const folder = folderWith({ a: "1" });
    utimesSync(join(folder, "a"), 4e9, 4e9);
    let waited = 0;
    const wait = async (ms: number) => {
      waited += ms;
    };
    await folderSource(folder, undefined, { now: () => newest(folder) + REST_MS, wait }).latest();
    expect(waited).toBe(0);
    // The clock was set back: then it has to stay the same for as long.
    await folderSource(folder, undefined, { now: () => newest(folder) - 3_600_000, wait }).latest();
    expect(waited).toBe(REST_MS);
  });

  test("never while something is always written into it, and what was written last is named", async () => {
    const folder = folderWith({ a: "1" });
    const latest = folderSource(folder, undefined, {
      now: () => newest(folder) + 1,
      wait: async () => writeFiles(folder, { "out/log": "x" }),
    }).latest();
    await expect(latest).rejects.toMatchObject({
      code: "GIT_UNREACHABLE",
      message: expect.stringMatching(/keeps changing: out\/log was changed last/),
    });
  });

  test("as it stood between two savings, never in the middle of one", async () => {
    const folder = folderWith(Object.fromEntries([..."01234567"].map((file) => [`f${file}`, "0"])));
    const states = [{ id: (await readFolder(folder)).revision.id, at: newest(folder) }];
    let saving = true;
    const writer = (async () => {
      for (let round = 1; round <= 4; round += 1) {
        for (let file = 0; file < 8; file += 1) {
          writeFiles(folder, { [`f${file}`]: String(round) });
          const at = newest(folder);
          states.push({ id: (await readFolder(folder)).revision.id, at });
          await sleep(20 * (1 + (file % 5)));
        }
        await sleep(REST_MS);
      }
      saving = false;
    })();
    const source = folderSource(folder);
    const read = new Set<string>();
    while (saving) read.add((await source.latest()).revision.id);
    await writer;
    read.add((await source.latest()).revision.id);
    expect(read).toContain(states.at(-1)?.id);
    for (const id of read) {
      const index = states.findIndex((state) => state.id === id);
      const [state, next] = [states[index], states[index + 1]];
      // Times of files are as coarse as the ticks of the system.
      if (next) expect(next.at - (state?.at ?? Number.NaN)).toBeGreaterThan(REST_MS - 20);
      else expect(index).toBe(states.length - 1);
    }
  });
});
