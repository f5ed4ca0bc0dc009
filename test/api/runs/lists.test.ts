import { describe, expect, test } from "vitest";
import { acmeServer, ask } from "../../given/ask.ts";
import { storyOf } from "../../given/story.ts";

describe("a list", () => {
  test("is walked page by page, each item once, with a cursor of this list only", async () => {
    const server = await acmeServer();
    const story = storyOf(server);
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1)
      ids.unshift((await server.api<{ run_id: string }>("POST", "/agent/runs", { prompt: `p${n}` })).run_id);
    for (const id of ids) await story.ended(id);
    const seen: string[] = [];
    let cursor = "";
    do {
      const page = await server.api<{
        runs: { run_id: string }[];
        page_info: { has_next_page: boolean; next_cursor?: string };
      }>("GET", `/agent/runs?limit=2${cursor}`);
      seen.push(...page.runs.map(({ run_id }) => run_id));
      expect(page.page_info.has_next_page).toBe(page.page_info.next_cursor !== undefined);
      cursor = page.page_info.next_cursor ? `&cursor=${page.page_info.next_cursor}` : "";
    } while (cursor !== "");
    expect(seen.sort()).toEqual(ids.sort());
    const { page_info } = await server.api<{ page_info: { next_cursor: string } }>(
      "GET",
      "/agent/runs?limit=2",
    );
    expect(
      (await ask(server, "GET", `/agent/runs?limit=2&state=FAILED&cursor=${page_info.next_cursor}`)).status,
    ).toBe(400);
    expect(
      (await ask(server, "GET", `/agent/runs?cursor=${page_info.next_cursor.replace(/^./, "x")}`)).status,
    ).toBe(400);
  });
});
