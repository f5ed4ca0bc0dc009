import { expect, test } from "vitest";
import { freshener } from "../../dashboard/src/api/freshen.ts";
import { itemsOf, type ListPage } from "../../dashboard/src/api/pages.ts";

interface Row {
  id: string;
  state: string;
}

/** A list on a server, the newest first, whose cursors are places. */
function listOf(rows: Row[]) {
  const asked: number[] = [];
  const list = async ({
    limit,
    cursor = "0",
  }: {
    limit: number;
    cursor?: string;
  }): Promise<ListPage<Row>> => {
    asked.push(limit);
    const from = Number(cursor);
    const next = from + limit < rows.length ? String(from + limit) : undefined;
    return { items: rows.slice(from, from + limit), next };
  };
  return { asked, ...freshener(list, ({ id }) => id) };
}

const numbered = (count: number, state = "new") =>
  Array.from({ length: count }, (_, place) => ({ id: String(count - place), state }));
const loaded = (rows: Row[], next?: string) => ({
  pages: [{ items: rows, next }],
  pageParams: [undefined],
});
const idsOf = (pages: Parameters<typeof itemsOf<Row>>[0]) => itemsOf(pages).map(({ id }) => Number(id));

test("what is loaded is asked for in few requests, and for two thousand rows at most", async () => {
  const { load, asked } = listOf(numbered(5_000));
  expect((await load(1_200)).map(({ items }) => items.length)).toEqual([500, 500, 200]);
  asked.length = 0;
  await load(4_000);
  expect(asked).toEqual([500, 500, 500, 500]);
});

test("new rows come in above, changed ones change, and those below stay", async () => {
  const { load, merge } = listOf(numbered(403));
  const before = loaded(numbered(400, "old"), "further");
  const after = merge(before, await load(400));
  expect(idsOf(after)).toEqual(numbered(403).map(({ id }) => Number(id)));
  expect(itemsOf(after).filter(({ state }) => state === "old")).toHaveLength(3);
  expect(after.pages.at(-1)?.next).toBe("further");
  expect(after.pageParams).toHaveLength(after.pages.length);
});

test("rows that are not in the list any more go", async () => {
  const { load, merge } = listOf(numbered(400).filter(({ id }) => id !== "300"));
  const after = merge(loaded(numbered(400)), await load(400));
  expect(idsOf(after)).not.toContain(300);
  expect(idsOf(after)).toHaveLength(399);
});

test("where so much has come that nothing of before is left above, no gap is shown as if there were none", async () => {
  const { load, merge } = listOf(numbered(3_000));
  const after = merge(loaded(numbered(400)), await load(400));
  expect(idsOf(after)).toEqual(
    numbered(3_000)
      .slice(0, 400)
      .map(({ id }) => Number(id)),
  );
  expect(after.pages.at(-1)?.next).toBe("400");
});
