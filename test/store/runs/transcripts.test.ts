import { describe, expect, test } from "vitest";
import { AT, aStore } from "../../given/store.ts";

const chunk = (seq: number) => ({
  seq,
  turn: 1,
  stream: "stdout" as const,
  at: AT,
  bytes: Buffer.from(String(seq)),
});

describe("transcripts", () => {
  test("are read in pieces from any place, and found by byte", async () => {
    const { transcripts } = await aStore();
    await transcripts.append("a", [chunk(8), chunk(9), chunk(10)]);
    expect((await transcripts.list("a", 8, 10)).map(({ seq }) => seq)).toEqual([9, 10]);
    expect(await transcripts.findSize("a")).toBe(4);
    expect(await transcripts.findAt("a", 1)).toEqual({ seq: 9, offset: 1 });
    expect(await transcripts.findLastSeq("a")).toBe(10);
    expect(await transcripts.findLastSeq("b")).toBe(0);
  });

  test("are read few pieces at a time where these are large, but always one", async () => {
    const { transcripts } = await aStore();
    const large = (seq: number, kilobytes: number) => ({
      ...chunk(seq),
      bytes: Buffer.alloc(kilobytes * 1024),
    });
    await transcripts.append("a", [large(1, 256), large(2, 256), large(3, 20), large(5, 40), large(6, 10)]);
    const listed = async (after: number, limit = 10) =>
      (await transcripts.list("a", after, limit)).map(({ seq }) => seq);
    expect([await listed(0), await listed(1), await listed(2), await listed(2, 1)]).toEqual([
      [1],
      [2],
      [3, 5],
      [3],
    ]);
    expect([await listed(5), await listed(6)]).toEqual([[6], []]);
  });

  test("have nothing of a turn after the first piece of the next one, which takes the place of what came before it", async () => {
    const { transcripts } = await aStore();
    const ofNext = (seq: number) => ({ ...chunk(seq), turn: 2, bytes: Buffer.from(`next ${seq}`) });
    await transcripts.append("a", [chunk(1)]);
    // The next turn goes on after the first piece, of which it knows; the worker of the one before is still writing.
    await transcripts.append("a", [chunk(2)]);
    await transcripts.append("a", [ofNext(2), ofNext(3)]);
    await transcripts.append("a", [chunk(2), chunk(3), chunk(4)]);
    await transcripts.append("a", [ofNext(3), ofNext(4)]);
    const texts = (await transcripts.list("a", 0, 10)).map(({ bytes }) => Buffer.from(bytes).toString());
    expect(texts).toEqual(["1", "next 2", "next 3", "next 4"]);
  });

  test("are forgotten by run, some at a time", async () => {
    const { transcripts } = await aStore();
    for (const id of ["a", "b", "c"]) await transcripts.append(id, [chunk(1), chunk(2)]);
    expect(await transcripts.listRuns("", 2)).toEqual(["a", "b"]);
    expect(await transcripts.listRuns("b", 2)).toEqual(["c"]);
    expect(await transcripts.forget(["a", "b"], 3)).toBe(3);
    expect(await transcripts.forget(["a", "b"], 3)).toBe(1);
    expect(await transcripts.listRuns("", 9)).toEqual(["c"]);
  });
});
