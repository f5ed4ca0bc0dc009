import { expect, test } from "vitest";
import type { Claim } from "../../../src/runs/run.ts";
import { type AssignDeps, assignTurn } from "../../../src/runs/turn/assign-turn.ts";
import type { RunNeeds } from "../../../src/runs/turn/needs.ts";
import { aRun } from "../../given/store.ts";

const TOKEN = "ghs_the-token-for-one-repository";

/** What the executor of a run gets that may push to its only repository. */
function assigned(url: string, network: RunNeeds["network"]) {
  const run = aRun({ execution: { harness: { type: "oz" }, secrets: [], push: true } });
  const located = { forge: "github", url, access: {}, tokenIn: "forges", push: async () => TOKEN };
  const deps = {
    store: { findOutputEnd: async () => 0 },
    transcripts: { findLastSeq: async () => 0 },
    vault: { open: async () => new Map() },
    forges: { isConfigured: true, of: async () => ({ locate: () => located }) },
    mayUseWorkerEnvironment: async () => false,
    usesImages: false,
    timeoutMs: 1_000,
  } as unknown as AssignDeps;
  const needs = {
    repositories: [{ owner: "acme", name: "shop" }],
    secrets: [],
    setupCommands: [],
    machine: {},
    network,
  } as unknown as RunNeeds;
  const claim = { run: { ...run, turn: 1 }, ticket: 1 } as unknown as Claim;
  return assignTurn(claim, needs, deps, new AbortController().signal);
}

test("a run whose network is limited pushes with a text that stands for its token, to its forge alone", async () => {
  const { pushToken, injections, hidden } = await assigned("https://github.com/acme/shop.git", {
    allow: [["github.com"]],
  });
  expect(pushToken).toMatch(/^millrace-placeholder-/);
  expect(injections).toEqual([
    {
      name: "GITHUB_ACCESS_TOKEN",
      placeholder: pushToken,
      value: TOKEN,
      hosts: ["github.com", "api.github.com"],
    },
  ]);
  expect(hidden).toContain(TOKEN);
  const own = await assigned("https://git.acme.example:8443/acme/shop.git", { allow: [] });
  expect(own.injections?.[0]?.hosts).toEqual(["git.acme.example:8443"]);
});

test("a run whose network is not limited has the token itself", async () => {
  const { pushToken, injections } = await assigned("https://github.com/acme/shop.git", undefined);
  expect([pushToken, injections]).toEqual([TOKEN, undefined]);
});
