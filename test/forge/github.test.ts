import { describe, expect, test } from "vitest";
import { githubForge } from "../../src/forge/github/github.ts";
import type { Annotation, CheckResult } from "../../src/forge/repository-forge.ts";
import { APP_ID, githubStandIn, PRIVATE_KEY, TOKEN } from "../given/github-stand-in.ts";

const COMMIT = "a".repeat(40);

async function given(credential: "app" | "token" = "app") {
  const stand = await githubStandIn();
  const app = { id: APP_ID, privateKey: PRIVATE_KEY };
  const forge = githubForge({
    baseUrl: stand.api,
    repository: { owner: "acme", repo: "factory" },
    credential: async () => (credential === "app" ? { app } : { token: TOKEN }),
    checkName: "millrace/factory-config",
    detailsUrl: undefined,
    signal: new AbortController().signal,
  });
  const begin = () => forge.beginCheck({ commit: COMMIT, title: "Planning", reference: "pull-request-1" });
  return { stand, forge, begin };
}

const result = (changes: Partial<CheckResult>): CheckResult => {
  return { conclusion: "failure", title: "No", summary: "No.", annotations: [], ...changes };
};

const annotation = (line: number, changes: Partial<Annotation> = {}): Annotation => {
  return { path: "a.yaml", line, column: 1, level: "failure", title: "T", message: "M", ...changes };
};

describe("a check on GitHub", () => {
  test("has a summary of any length, which is cut at a line and says so", async () => {
    const { stand, begin } = await given();
    const lines = Array.from({ length: 5_000 }, (_, n) => `- ${n}: ein schöner Satz 🙂`);
    await (await begin()).conclude(result({ summary: lines.join("\n") }));
    const [run] = stand.checkRuns;
    const summary = run?.summary ?? "";
    expect(Buffer.byteLength(summary)).toBeLessThanOrEqual(65_535);
    const [shown, end] = summary.split("\n\n");
    expect(end).toContain("run `millrace plan --pull-request` to see the full plan");
    expect(lines.join("\n").startsWith(`${shown}\n`)).toBe(true);
  });

  test("shows five hundred annotations, and counts the others", async () => {
    const { stand, begin } = await given();
    const annotations = Array.from({ length: 1_234 }, (_, n) =>
      annotation(n + 1, { title: "T".repeat(300), message: "ü".repeat(100_000 / (1 + (n % 50) * 100)) }),
    );
    await (await begin()).conclude(result({ annotations }));
    const [run] = stand.checkRuns;
    expect(run?.batches).toEqual(Array(10).fill(50));
    expect(run?.summary).toContain("The first 500 of 1234 annotations are shown.");
    const [longest] = run?.annotations ?? [];
    expect(Buffer.byteLength(longest?.message ?? "")).toBe(64 * 1024);
    expect(longest?.title).toHaveLength(255);
  });

  test("that was left open with annotations is closed, and one without is gone on with", async () => {
    const { stand, begin } = await given();
    const first = await begin();
    const annotations = Array.from({ length: 60 }, (_, n) => annotation(n + 1));
    stand.before = (route) => {
      if (route.startsWith("PATCH") && stand.checkRuns[0]?.batches.length === 1) {
        stand.instead = (response) => response.writeHead(503).end();
      }
    };
    await expect(first.conclude(result({ annotations }))).rejects.toMatchObject({ kind: "unavailable" });
    stand.before = () => {};
    stand.instead = undefined;

    await begin();
    expect(stand.checkRuns.map(({ status, conclusion }) => [status, conclusion])).toEqual([
      ["completed", "cancelled"],
      ["in_progress", null],
    ]);
    await (await begin()).conclude(result({ annotations }));
    expect(stand.checkRuns.map(({ annotations: shown }) => shown.length)).toEqual([50, 60]);
  });
});

test("an app makes itself one token, for its requests of an hour", async () => {
  const { stand, forge } = await given();
  stand.tips.set("main", COMMIT);
  for (let n = 0; n < 3; n += 1) expect(await forge.findTip("main")).toBe(COMMIT);
  expect(stand.requests.map(({ route }) => route)).toEqual([
    "GET /repos/{owner}/{repo}/installation",
    "POST /app/installations/{installation_id}/access_tokens",
    ...Array(3).fill("GET /repos/{owner}/{repo}/git/ref/{ref}"),
  ]);
  // A token that counts no more is replaced.
  stand.tokens.clear();
  await expect(forge.findTip("main")).rejects.toMatchObject({ kind: "refused", status: 401 });
  expect(await forge.findTip("main")).toBe(COMMIT);
});

test("a status has 140 characters, whatever is in them", async () => {
  const { stand, forge } = await given("token");
  await forge.setStatus({ commit: COMMIT, state: "failure", description: `a\nb\u0000${"🙂".repeat(200)}` });
  expect(stand.statuses[0]?.description).toMatch(/^a b /);
  expect(stand.statuses[0]?.description.length).toBeLessThanOrEqual(140);
});
