import { describe, expect, test } from "vitest";
import { Millrace, RateLimitError } from "../../src/client/client.ts";
import { ok, refusal, scriptedServer } from "../given/scripted-server.ts";

const page = (ids: number[], next_cursor?: string) =>
  ok({
    runs: ids.map((id) => ({ run_id: String(id) })),
    page_info: { has_next_page: next_cursor !== undefined, ...(next_cursor ? { next_cursor } : {}) },
  });
const idsOf = (runs: readonly { run_id: string }[]) => runs.map(({ run_id }) => Number(run_id));

describe("a list", () => {
  test("is every item of every page, asked for by the same query and options", async () => {
    const { url, received } = await scriptedServer(page([1, 2], "c 1"), page([3, 4], "c2"), page([5]));
    const client = new Millrace({ baseUrl: url });
    const list = client.runs.list({ limit: 2, state: ["FAILED"] }, { headers: { "x-a": "1" } });
    expect(idsOf(await list.toArray())).toEqual([1, 2, 3, 4, 5]);
    expect(received.map(({ url, headers }) => [url, headers["x-a"]])).toEqual([
      ["/api/v1/agent/runs?limit=2&state=FAILED", "1"],
      ["/api/v1/agent/runs?limit=2&state=FAILED&cursor=c+1", "1"],
      ["/api/v1/agent/runs?limit=2&state=FAILED&cursor=c2", "1"],
    ]);
  });

  test("is one page when it is awaited, from which the others can be had", async () => {
    const { url, received } = await scriptedServer(page([1], "c1"), page([2]), page([3]));
    const client = new Millrace({ baseUrl: url });
    const first = await client.runs.list();
    expect([idsOf(first.items), first.nextCursor, first.hasNextPage]).toEqual([[1], "c1", true]);
    expect(received).toHaveLength(1);
    const second = await first.nextPage();
    expect([idsOf(second?.items ?? []), second?.hasNextPage]).toEqual([[2], false]);
    expect(await second?.nextPage()).toBeUndefined();
    const ids: number[] = [];
    for await (const { run_id } of first) ids.push(Number(run_id));
    expect(ids).toEqual([1, 3]);
  });

  test("asks for no page that is not wanted", async () => {
    const { url, received } = await scriptedServer(page([1, 2], "c1"));
    for await (const { run_id } of new Millrace({ baseUrl: url }).runs.list({ cursor: "c0" })) {
      if (run_id === "2") break;
    }
    expect(received.map(({ url }) => url)).toEqual(["/api/v1/agent/runs?cursor=c0"]);
  });

  test("fails where a page fails", async () => {
    const { url } = await scriptedServer(page([1], "c1"), refusal(429, "rate_limited"));
    const client = new Millrace({ baseUrl: url, maxRetries: 0 });
    await expect(client.runs.list().toArray()).rejects.toThrow(RateLimitError);
  });

  test("can be had with its answer", async () => {
    const { url } = await scriptedServer(page([1]));
    const { data, response } = await new Millrace({ baseUrl: url }).runs.list().withResponse();
    expect([idsOf(data.items), response.status]).toEqual([[1], 200]);
  });
});
