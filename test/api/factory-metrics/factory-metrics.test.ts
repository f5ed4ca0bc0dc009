import { describe, expect, test } from "vitest";
import type { components } from "../../../src/client/api-types.ts";
import { aKey, ask } from "../../given/ask.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { pullUrl, reportedPullRequests } from "../../given/reported-pull-requests.ts";

type Models = components["schemas"];

/** GitHub has told of 1, which an agent has opened and a person has reviewed, of 2, to which a person has pushed, and of 3. */
const stage = sharedByFile(async () => {
  const given = await reportedPullRequests();
  const { tell, pull, merged, PERSON, BOT, at } = given;
  const deliveries = [
    tell("pull_request", "opened", { number: 1, sender: BOT, pull_request: pull(1, 10) }),
    tell("pull_request_review", "submitted", {
      sender: PERSON,
      review: { id: 7, state: "approved", submitted_at: at(40), user: PERSON },
      pull_request: pull(1, 40),
    }),
    tell("pull_request", "closed", { number: 1, sender: PERSON, pull_request: merged(1, 60) }),
    tell("pull_request", "opened", { number: 2, sender: BOT, pull_request: pull(2, 10) }),
    tell("pull_request", "synchronize", {
      number: 2,
      sender: PERSON,
      after: "abc",
      pull_request: pull(2, 20),
    }),
    tell("pull_request", "opened", { number: 3, sender: PERSON, pull_request: pull(3, 10) }),
    tell("pull_request", "closed", { number: 3, sender: PERSON, pull_request: merged(3, 60) }),
  ];
  expect(await Promise.all(deliveries)).toEqual(Array(7).fill(202));
  return given;
});

async function get<Answer>(path: string, key?: string): Promise<Answer> {
  const { server } = stage();
  const { status, body } = await ask<Answer & object>(server, "GET", `/factory/acme/${path}`, {
    ...(key === undefined ? {} : { key }),
  });
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

const today = () => stage().first.created_at.slice(0, 10);

describe("the productivity of a factory", () => {
  test("counts runs, their pull requests, what people did with them, and how long they took", async () => {
    const { acme } = stage();
    const metrics = await get<Models["FactoryMetrics"]>("metrics");
    expect(metrics).toMatchObject({
      ...{ team_uid: "", factory_uid: acme, run_count: 2, pr_count: 2, merged_pr_count: 1 },
      // An approval and the merge of the one, a push to the other.
      average_human_interactions_per_pr: 1.5,
      autonomy_funnel: {
        ...{ total_merged: 2, factory_merged: 1, factory_merged_observed: 1 },
        merged_without_human_code_change: 1,
        repos: ["acme/shop"],
      },
      impact: { additions: 70, deletions: 50, merged_pr_count: 1, measured_pr_count: 1 },
      pr_latency: {
        merged_pr_count: 1,
        pr_to_first_review: { median_seconds: 0.04, measured_pr_count: 1 },
        first_review_to_merge: { median_seconds: 0.02, measured_pr_count: 1 },
        kickoff_to_merge: { median_seconds: 0.06, measured_pr_count: 1 },
      },
    });
    expect(Date.parse(metrics.as_of)).toBeLessThanOrEqual(Date.now());
    expect(metrics).not.toHaveProperty("series");
  });

  test("says the same of each period", async () => {
    const end = new Date(Date.parse(`${today()}T00:00:00Z`) + 2 * 86_400_000).toISOString();
    const start = new Date(Date.parse(`${today()}T00:00:00Z`) - 86_400_000).toISOString();
    const query = `start_date=${start}&end_date=${end}&group_by_period=day`;
    const metrics = await get<Models["FactoryMetrics"]>(`metrics?${query}`);
    expect(metrics.period_list).toEqual([start.slice(0, 10), today(), expect.any(String)]);
    expect(metrics.series?.map((each) => [each.run_count, each.pr_count, each.merged_pr_count])).toEqual([
      [0, 0, 0],
      [2, 2, 1],
      [0, 0, 0],
    ]);
    expect(metrics.series?.[0]?.average_human_interactions_per_pr).toBeNull();
    expect(metrics.autonomy_funnel.series?.map(({ total_merged }) => total_merged)).toEqual([0, 2, 0]);
    expect(metrics.impact.series?.[1]).toMatchObject({ additions: 70 });
    expect(metrics.pr_latency.series?.[0]?.kickoff_to_pr).toEqual({
      median_seconds: null,
      measured_pr_count: 0,
    });
  });

  test.each([
    ["agent_type", "FOREMAN"],
    ["status", "SUCCEEDED"],
    ["source", "API"],
    ["root_vs_subrun", "ROOT"],
    ["model", "(none)"],
    ["harness", "told"],
  ])("counts runs by %s", async (by, key) => {
    const counted = await get<Models["RunBreakdown"]>(`metrics/run-breakdown?group_by=${by}`);
    expect(counted).toMatchObject({ total: 2, root_run_count: 2, groups: [{ key, label: null, total: 2 }] });
  });
});

describe("the spend of a factory", () => {
  test("is summed by source, user, agent and model, and says what is not known of it", async () => {
    const { boss } = stage();
    const two = { inference: 2, compute: 0, platform: 0, total: 2, unpriced_tokens: 14 };
    const ofGroup = async (by: string) => {
      const { total, groups } = await get<Models["CostBreakdown"]>(`costs/breakdown?group_by=${by}`);
      expect(total).toEqual(two);
      return groups;
    };
    expect(await ofGroup("source")).toEqual([
      { key: "API", label: null, deleted: false, photo_url: null, dollars: two },
    ]);
    expect(await ofGroup("user")).toMatchObject([{ label: "admin", deleted: false, dollars: two }]);
    expect(await ofGroup("agent")).toMatchObject([
      { key: boss, label: "boss", deleted: false, dollars: two },
    ]);
    expect(await ofGroup("model")).toMatchObject([
      { key: "opus", dollars: { total: 2, unpriced_tokens: 0 } },
      { key: "strange", dollars: { total: 0, unpriced_tokens: 14 } },
    ]);
  });

  test("is that of the pull requests, among which a run divides what it cost", async () => {
    // Half of the first run for each, and all of the second for one.
    expect(await get<Models["PrCosts"]>("costs/per-pr?group_by_period=month")).toMatchObject({
      pr_count: 2,
      dollars: { inference: 2, total: 2 },
      mean: 1,
      series: expect.arrayContaining([
        expect.objectContaining({ mean: 1, inference_mean: 1, compute_mean: 0, platform_mean: 0 }),
      ]),
    });
    const sizes = await get<Models["PrCostsBySize"]>("costs/per-pr/by-size");
    expect([sizes.pr_count, sizes.sized_pr_count]).toEqual([2, 2]);
    expect(sizes.buckets).toEqual([
      { size: "S", pr_count: 0, mean: null },
      { size: "M", pr_count: 2, mean: 1 },
      { size: "L", pr_count: 0, mean: null },
      { size: "XL", pr_count: 0, mean: null },
    ]);
    const { data } = await get<Models["CostliestPullRequests"]>("costs/per-pr/top?limit=1");
    expect(data).toMatchObject([
      {
        url: pullUrl(1),
        dollars: { total: 1.5 },
        models: [
          { model_id: "opus", inference: 1.5 },
          { model_id: "strange", inference: 0 },
        ],
        ...{ source: "API", requested_model_id: null, creator: { type: "user" } },
      },
    ]);
  });
});

describe("the pull requests of a factory", () => {
  test("are those that its runs reported, with what the forge has told of them", async () => {
    const { first, second, at, acme } = stage();
    const { data, page_info } = await get<Models["PullRequestList"]>("pull-requests");
    expect(page_info).toEqual({ has_next_page: false });
    expect(data.map(({ url }) => url)).toEqual([pullUrl(2), pullUrl(1)]);
    expect(data[1]).toEqual({
      ...{ provider: "github", repo_full_name: "acme/shop", pr_number: 1, url: pullUrl(1) },
      ...{ title: "Pull request 1", author_login: "agent[bot]", factory_uid: acme, team_uid: "" },
      ...{ state: "merged", opened_at: at(0), first_human_review_at: at(40), merged_at: at(60) },
      ...{ closed_at: at(60), updated_at: at(60) },
      ...{ additions: 70, deletions: 50, changed_files: 3, num_commits: 2 },
      human_interactions: {
        ...{ opened: 0, code_push: 0, review_approved: 1, review_changes_requested: 0, review_commented: 0 },
        ...{ comment: 0, review_comment: 0, pr_action: 1, follow_up_message: 0, total: 2 },
      },
      ...{ human_code_change: false, history_complete: true },
      runs: [first, second].map(({ run_id, created_at }) => ({ run_id, root_run_id: run_id, created_at })),
      kickoff_at: first.created_at,
      cycle_time: {
        ...{
          kickoff_to_pr: 0,
          pr_to_first_review: 0.04,
          first_review_to_merge: 0.02,
          kickoff_to_merge: 0.06,
        },
      },
    });
  });

  test("are found by repository, state and time, a page at a time", async () => {
    const { at } = stage();
    const urls = async (query: string) => {
      const { data } = await get<Models["PullRequestList"]>(`pull-requests?${query}`);
      return data.map(({ pr_number }) => pr_number);
    };
    expect(await urls("repo=ACME/shop")).toEqual([2, 1]);
    expect(await urls("repo=acme/other")).toEqual([]);
    expect(await urls("state=merged")).toEqual([1]);
    expect(await urls("state=merged&state=open")).toEqual([2, 1]);
    expect(await urls(`merged_after=${at(60)}`)).toEqual([1]);
    expect(await urls(`merged_before=${at(60)}`)).toEqual([]);
    expect(await urls(`updated_after=${at(21)}`)).toEqual([1]);
    expect(await urls(`opened_before=${at(0)}`)).toEqual([]);
    const page = await get<Models["PullRequestList"]>("pull-requests?limit=1");
    expect(page.data.map(({ pr_number }) => pr_number)).toEqual([2]);
    expect(await urls(`limit=1&cursor=${page.page_info.next_cursor}`)).toEqual([1]);
  });
});

describe("a request for figures", () => {
  test("of a time that ends in thousands of years is answered as one that ends now", async () => {
    const counted = await get<Models["RunBreakdown"]>(
      "metrics/run-breakdown?group_by=status&start_date=2026-01-01&end_date=9999-12-31",
    );
    expect(counted.total).toBe(2);
    const spent = await get<Models["CostBreakdown"]>(
      "costs/breakdown?group_by=source&start_date=1970-01-01&end_date=9999-12-31",
    );
    expect(spent.total.total).toBe(2);
  });

  test.each([
    ["metrics?start_date=2026-02-01&end_date=2026-01-01", "start_date is later than end_date."],
    [
      "metrics?start_date=2020-01-01&end_date=2026-01-01&group_by_period=day",
      "group_by_period: from start_date to end_date there are more than 365 periods of a day.",
    ],
    ["metrics/run-breakdown", "group_by"],
    ["costs/per-pr/top?limit=51", "limit"],
  ])("is refused when it is wrong: %s", async (path, message) => {
    const { status, body } = await ask(stage().server, "GET", `/factory/acme/${path}`);
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain(message);
  });

  test("is answered to whoever may see the factory alone", async () => {
    const { server } = stage();
    const key = await aKey(server, { role: "viewer", factories: ["other"] });
    for (const path of ["metrics", "costs/breakdown?group_by=model", "costs/per-pr/top", "pull-requests"]) {
      const { status } = await ask(server, "GET", `/factory/acme/${path}`, { key });
      expect([path, status]).toEqual([path, 404]);
    }
    const { status, body } = await ask<Models["FactoryMetrics"]>(server, "GET", "/factory/other/metrics", {
      key,
    });
    expect([status, body.run_count, body.autonomy_funnel.total_merged]).toEqual([200, 0, 0]);
  });
});
