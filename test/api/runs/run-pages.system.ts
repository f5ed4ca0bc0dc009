import { expect, test } from "vitest";
import type { components } from "../../../src/client/api-types.ts";
import { RUN_SORTS, type RunSort } from "../../../src/runs/run-query.ts";
import { acmeServer } from "../../given/ask.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { ozClient } from "../../given/other-clients.ts";
import { waitFor } from "../../given/server.ts";
import type { Run } from "../../given/story.ts";
import { TITLES, variedRuns } from "../../given/varied-runs.ts";

type Page = components["schemas"]["ListRunsResponse"];

const stage = sharedByFile(variedRuns);
const DIRECTIONS = ["asc", "desc"] as const;
const ORDERS = RUN_SORTS.flatMap((sort) => DIRECTIONS.map((direction) => [sort, direction] as const));

/** What a run is sorted by; nothing for a run without a skill. */
const KEYS: Record<RunSort, (run: Run) => string | undefined> = {
  updated_at: (run) => run.updated_at,
  created_at: (run) => run.created_at,
  title: (run) => run.title,
  agent: (run) => run.agent_skill?.name,
};

/**
 * The titles in the order in which a list has to have them: what is alike in the order of creation, and runs without a
 * skill behind the others, the newest first.
 */
function sorted(sort: RunSort, direction: "asc" | "desc"): string[] {
  const sign = direction === "asc" ? 1 : -1;
  const keyOf = (title: (typeof TITLES)[number]) => KEYS[sort](stage().run(title));
  return [...TITLES].sort((a, b) => {
    const [left, right] = [keyOf(a), keyOf(b)];
    if ((left === undefined) !== (right === undefined)) return left === undefined ? 1 : -1;
    if (left === undefined || right === undefined) return TITLES.indexOf(b) - TITLES.indexOf(a);
    if (left !== right) return left < right ? -sign : sign;
    return sign * (TITLES.indexOf(a) - TITLES.indexOf(b));
  });
}

test.each(ORDERS)(
  "pages by %s, %s, have each run once and in order, to the end",
  async (sort_by, sort_order) => {
    const client = ozClient(stage().server);
    const sizes: number[] = [];
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const query = { limit: 4, sort_by, sort_order, ...(cursor === undefined ? {} : { cursor }) };
      const { runs, page_info } = await client.get<Page>("/agent/runs", { query });
      expect(page_info.has_next_page).toBe(page_info.next_cursor !== undefined);
      sizes.push(runs.length);
      seen.push(...runs.map(({ title }) => title));
      cursor = page_info.next_cursor;
    } while (cursor !== undefined && sizes.length < TITLES.length);
    expect(sizes).toEqual([4, 4, 4, 3]);
    expect(seen).toEqual(sorted(sort_by, sort_order));
  },
);

test("a run that is updated while somebody pages is in the list all the same, and one that is made meanwhile is not", async () => {
  const server = await acmeServer();
  const create = async (title: string) => {
    const { run_id } = await server.api<{ run_id: string }>("POST", "/agent/runs", {
      prompt: "Work.",
      title,
    });
    await waitFor(async () => {
      const { state } = await server.api<Run>("GET", `/agent/runs/${run_id}`);
      return ["SUCCEEDED", "FAILED", "ERROR"].includes(state) || undefined;
    });
    return run_id;
  };
  const listed = (cursor?: string) =>
    server.api<Page>("GET", `/agent/runs?limit=2${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ""}`);
  const ids: string[] = [];
  for (const title of ["one", "two", "three", "four", "five", "six"]) ids.push(await create(title));
  let page = await listed();
  const seen = page.runs.map(({ run_id }) => run_id);
  // Of those that were not on the first page, two move in front of it; a third is new.
  const moved = ids.slice(1, 3);
  for (const id of moved) {
    const before = await server.api<Run>("GET", `/agent/runs/${id}`);
    await server.api("POST", `/agent/runs/${id}/followups`, { message: "Go on." });
    await waitFor(async () => {
      const { state, updated_at } = await server.api<Run>("GET", `/agent/runs/${id}`);
      return (state === before.state && updated_at !== before.updated_at) || undefined;
    });
  }
  const made = await create("seven");
  await waitFor(async () => (await listed()).runs.some(({ run_id }) => run_id === made) || undefined);
  while (page.page_info.next_cursor) {
    page = await listed(page.page_info.next_cursor);
    seen.push(...page.runs.map(({ run_id }) => run_id));
  }
  expect(seen.toSorted()).toEqual(ids.toSorted());
  expect(seen.slice(-2)).toEqual(moved);
});

test("pages go on within the filters, by the client's own list", async () => {
  const { runs: list } = ozClient(stage().server).agent;
  const filter = { limit: 2, state: ["SUCCEEDED" as const] };
  const titles: string[] = [];
  let page = await list.list(filter);
  titles.push(...page.runs.map(({ title }) => title));
  while (page.page_info.next_cursor) {
    page = await list.list({ ...filter, cursor: page.page_info.next_cursor });
    titles.push(...page.runs.map(({ title }) => title));
  }
  const succeeded = TITLES.filter((title) => stage().run(title).state === "SUCCEEDED");
  expect(titles.sort()).toEqual([...succeeded].sort());
});

test("without being told, a list has the last updated first", async () => {
  const { runs } = await ozClient(stage().server).agent.runs.list();
  expect(runs.map(({ title }) => title)).toEqual(sorted("updated_at", "desc"));
});

test("without being told, a page has twenty runs", async () => {
  const client = ozClient(await acmeServer());
  for (let n = 0; n < 21; n += 1) await client.agent.run({ prompt: "Do it." });
  expect((await client.agent.runs.list()).runs).toHaveLength(20);
});

test("a page that is as long as the list is the last one", async () => {
  const { runs, page_info } = await ozClient(stage().server).agent.runs.list({ limit: TITLES.length });
  expect(runs).toHaveLength(TITLES.length);
  expect(page_info).toEqual({ has_next_page: false });
});

test.each([0, 501])("a limit of %i is refused", async (limit) => {
  await expect(ozClient(stage().server).agent.runs.list({ limit })).rejects.toMatchObject({ status: 400 });
});
