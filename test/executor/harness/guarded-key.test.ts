import { describe, expect, test } from "vitest";
import { type GuardedKey, guardKey } from "../../../src/executor/harness/guarded-key.ts";
import { createHarnesses, type HarnessRow } from "../../../src/executor/harness/harness.ts";

const ORIGIN = "http://127.0.0.1:3128";
const AT_PROXY = `${ORIGIN}/endpoints/model`;
const KEY = "the-key";

function rowOf(type: string, harnesses: Parameters<typeof createHarnesses>[0]["harnesses"] = {}): HarnessRow {
  const row = createHarnesses({ agentCommand: undefined, harnesses }).find({ type });
  if ("missing" in row) throw new Error(row.missing);
  return row;
}

const tried = (row: HarnessRow, granted: Record<string, string>) =>
  guardKey(row, { granted: new Map(Object.entries(granted)), named: undefined, origin: ORIGIN });

function guarded(row: HarnessRow, granted: Record<string, string>): GuardedKey {
  const key = tried(row, granted);
  if ("problem" in key) throw new Error(key.problem);
  return key;
}

describe("claude without its key", () => {
  test("reaches the service of its preset, and is told that it is this one", () => {
    const { environment, endpoints, injections } = guarded(rowOf("claude"), { ANTHROPIC_API_KEY: KEY });
    expect(endpoints).toEqual([{ name: "model", url: "https://api.anthropic.com" }]);
    expect(injections).toMatchObject([{ value: KEY, hosts: ["api.anthropic.com"] }]);
    expect(environment).toMatchObject({ ANTHROPIC_BASE_URL: AT_PROXY, ENABLE_TOOL_SEARCH: "true" });
    expect(environment.ANTHROPIC_API_KEY).toBe(injections[0]?.placeholder);
  });

  test.each([
    ["https://gateway.example.com/claude", "gateway.example.com"],
    ["http://gateway.example.com", "gateway.example.com:80"],
    ["https://gateway.example.com.:8443", "gateway.example.com:8443"],
    ["http://[::1]:8080", "::1:8080"],
  ])("reaches a gateway of its own at %s, and is told nothing of it", (url, host) => {
    const granted = { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: url };
    const { environment, endpoints, injections, secrets } = guarded(rowOf("claude"), granted);
    expect([endpoints[0]?.url, injections[0]?.hosts]).toEqual([url, [host]]);
    expect(environment.ENABLE_TOOL_SEARCH).toBeUndefined();
    expect([...secrets]).toEqual([]);
  });

  test("keeps its preset where the settings name another service", () => {
    const row = rowOf("claude", {
      claude: { preset: "claude", keyService: { url: "https://own.example.com" } },
    });
    const { environment, endpoints } = guarded(row, { ANTHROPIC_API_KEY: KEY });
    expect(endpoints).toEqual([{ name: "model", url: "https://own.example.com" }]);
    expect(environment).toMatchObject({ ANTHROPIC_BASE_URL: AT_PROXY });
    expect(environment.ENABLE_TOOL_SEARCH).toBeUndefined();
  });

  test.each(["https://name:password@gateway.example.com", "gateway.example.com:8080", "socks://gateway"])(
    "is not sent to the service of its preset where its own is %s",
    (url) => {
      expect(tried(rowOf("claude"), { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: url })).toEqual({
        problem: expect.stringContaining("ANTHROPIC_BASE_URL is not"),
      });
    },
  );

  test("cannot use one that no header can contain", () => {
    expect(tried(rowOf("claude"), { ANTHROPIC_API_KEY: `${KEY}\n` })).toEqual({
      problem: expect.stringContaining("a header of a request cannot contain the value of ANTHROPIC_API_KEY"),
    });
  });

  test("has the text in its place under each name that had the key", () => {
    const granted = { ANTHROPIC_API_KEY: KEY, SAME: KEY, OTHER: "another" };
    const { secrets, injections } = guarded(rowOf("claude"), granted);
    expect(Object.fromEntries(secrets)).toEqual({ SAME: injections[0]?.placeholder, OTHER: "another" });
  });
});

describe("codex without its key", () => {
  const codex = (...words: string[]) => rowOf("codex", { codex: { preset: "codex", arguments: words } });

  test("is given the address of the proxy by an argument", () => {
    const { arguments: words, endpoints } = guarded(rowOf("codex"), { OPENAI_API_KEY: KEY });
    expect(words).toEqual(["-c", `openai_base_url="${AT_PROXY}/v1"`]);
    expect(endpoints).toEqual([{ name: "model", url: "https://api.openai.com" }]);
  });

  test.each([
    [["-c", 'openai_base_url="https://own.example.com/v1"']],
    [['--config=openai_base_url="https://own.example.com/v1"']],
    [["-c", "model_provider=azure"]],
    [["--profile", "own"]],
  ])("is given none where its command has %j", (words) => {
    const { arguments: more, endpoints } = guarded(codex(...words), { OPENAI_API_KEY: KEY });
    expect([more, endpoints]).toEqual([[], []]);
  });
});
