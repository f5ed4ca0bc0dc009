import { describe, expect, test } from "vitest";
import { planChanges, resourcesAfter } from "../../../src/definitions/changes/plan.ts";
import {
  automationOn,
  automationWith,
  FACTORY,
  load,
  signatureWebhook,
  TOKEN_WEBHOOK,
} from "../../given/definition.ts";
import type { Files } from "../../given/folder.ts";

/** The warnings of going from one tree to another, as `code path:line`. */
async function warningsOf(before: Files, after: Files): Promise<string[]> {
  const [old, planned] = await Promise.all([load({ ...FACTORY, ...before }), load({ ...FACTORY, ...after })]);
  if (!old.definition || !planned.definition)
    throw new Error(JSON.stringify([old.problems, planned.problems]));
  const { changes } = planChanges([], old.definition);
  const uids = Object.fromEntries(
    changes.map(({ kind, name }) => [`${kind}/${name}`, `uid-${kind}-${name}`]),
  );
  const stored = resourcesAfter([], changes, uids, "2026-11-21T10:00:00.000Z");
  return planChanges(stored, planned.definition, planned.locate).warnings.map(
    ({ code, path, line, message }) => `${code} ${path}:${line} ${message}`,
  );
}

const ci = { "webhooks/ci.yaml": TOKEN_WEBHOOK };
const onCi = { ...ci, "automations/a.md": automationOn(["ci"]) };
const urlToken = { "webhooks/ci.yaml": `authMode: url_token\n${TOKEN_WEBHOOK}` };

describe("a plan warns of URLs that change", () => {
  test("with a webhook's new name, and of what that takes from its automations", async () => {
    const renamed = { "webhooks/builds.yaml": TOKEN_WEBHOOK, "automations/a.md": automationOn(["builds"]) };
    expect(await warningsOf(onCi, renamed)).toEqual([
      expect.stringMatching(/^url_will_change webhooks\/builds.yaml:1 .*"ci" is renamed to "builds".*404/),
    ]);
  });

  test("with the token in them, which comes, goes, or is another", async () => {
    const expected = [expect.stringMatching(/^url_will_change webhooks\/ci.yaml:1 .*its token/)];
    expect(await warningsOf(ci, urlToken)).toEqual(expected);
    expect(await warningsOf(urlToken, ci)).toEqual(expected);
    const other = { "webhooks/ci.yaml": "authMode: url_token\nsecretName: OTHER\n" };
    expect(await warningsOf(urlToken, other)).toEqual(expected);
  });

  test("and not of one that is merely new, deleted, or has another secret in a header", async () => {
    expect(await warningsOf({}, ci)).toEqual([]);
    expect(await warningsOf(ci, {})).toEqual([]);
    expect(await warningsOf(ci, { "webhooks/ci.yaml": "secretName: OTHER\n" })).toEqual([]);
    expect(await warningsOf(ci, { "webhooks/gh.yaml": signatureWebhook("github", "GH") })).toEqual([]);
  });
});

describe("a plan warns of automations that stop firing", () => {
  const stops = (path: string, words: string) => [
    expect.stringMatching(new RegExp(`^automation_stops_firing ${path}.*${words}`)),
  ];

  test("because their webhook goes or is disabled", async () => {
    const { "webhooks/ci.yaml": _, ...without } = onCi;
    const disabled = { ...onCi, "webhooks/ci.yaml": `${TOKEN_WEBHOOK}enabled: false\n` };
    for (const after of [without, disabled]) {
      expect(await warningsOf(onCi, after)).toEqual(
        stops("automations/a.md:", 'was started only by the webhook "ci"'),
      );
    }
  });

  test("because they are switched off, at the line that says so", async () => {
    const off = automationOn(["ci"]).replace("triggers:", "enabled: false\ntriggers:");
    expect(await warningsOf(onCi, { ...ci, "automations/a.md": off })).toEqual(
      stops("automations/a.md:2", "it is disabled"),
    );
  });

  test("for one of their webhooks, unless their author has written that", async () => {
    const two = { ...ci, "webhooks/b.yaml": "secretName: B\n" };
    const before = { ...two, "automations/a.md": automationOn(["ci", "b"]) };
    const { "webhooks/b.yaml": _, ...without } = before;
    expect(await warningsOf(before, without)).toEqual(
      stops("automations/a.md:", 'webhook "b"; it still fires'),
    );
    expect(await warningsOf(before, { ...without, "automations/a.md": automationOn(["ci"]) })).toEqual([]);
  });

  test("and not of those that are deleted, or never fired", async () => {
    expect(await warningsOf(onCi, ci)).toEqual([]);
    const silent = { "automations/a.md": automationOn(["nowhere"]) };
    expect(await warningsOf(silent, silent)).toEqual([]);
  });
});

describe("a plan for an automation that events of its factory start", () => {
  const on = (event: string) => automationWith(`triggers: [{ provider: factory, event: ${event} }]`);
  const moved = on("work_item_stage_changed");

  test("does not ask for a webhook", async () => {
    expect(await warningsOf({}, { "automations/a.md": moved })).toEqual([]);
  });

  test("warns if nothing starts it any more", async () => {
    const scheduled = automationWith("triggers: [{ provider: slack, event: app_mention }]");
    expect(await warningsOf({ "automations/a.md": moved }, { "automations/a.md": scheduled })).toEqual([
      expect.stringMatching(/^automation_stops_firing .*started only by events of the factory/),
      expect.stringMatching(/^provider_not_connected .*slack/),
    ]);
  });
});

test("a plan warns of providers that nothing brings here, once each", async () => {
  const automation = (provider: string, event: string) =>
    automationWith(`triggers: [{ provider: ${provider}, event: ${event} }]`);
  const after = {
    "automations/a.md": automation("slack", "app_mention"),
    "automations/b.md": automation("slack", "app_mention"),
    "automations/c.md": automation("github", "push"),
  };
  expect(await warningsOf({}, after)).toEqual([
    expect.stringMatching(/^provider_not_connected automations\/a.md:2 .*slack.*2 automations/),
    expect.stringMatching(/^provider_not_connected automations\/c.md:2 .*github.*signatureScheme: github/),
  ]);
  const connected = {
    "webhooks/gh.yaml": signatureWebhook("github", "GH"),
    "automations/c.md": automation("github", "push"),
  };
  expect(await warningsOf({}, connected)).toEqual([]);
});

describe("a plan warns of runs that may start more than before", () => {
  const agents = (boss: string, helper: string) => ({
    "agents/boss/agent.md": `---\nagentType: FOREMAN\n${boss}\n---\n`,
    "agents/helper/agent.md": `---\n${helper}\n---\n`,
  });
  const automation = (lines: string) => ({
    ...ci,
    "automations/a.md": automationOn(["ci"]).replace("triggers:", `${lines}triggers:`),
  });

  test("because their agent may start more agents, more runs or more generations", async () => {
    const before = agents("millrace: { mayStart: [helper] }", "");
    expect(await warningsOf(before, agents("", "millrace: { mayStart: [boss] }"))).toEqual([
      expect.stringMatching(/^grant_widened agents\/boss.* "boss" .*: the agent "boss"$/),
      expect.stringMatching(
        /^grant_widened agents\/helper.*:2 .*the agent "boss" \(10 runs, 2 generations\)$/,
      ),
    ]);
    expect(
      await warningsOf(before, agents("millrace: { mayStart: [helper], children: 11, depth: 3 }", "")),
    ).toEqual([expect.stringMatching(/11 runs instead of 10; 3 generations instead of 2$/)]);
  });

  test("because their automation says so", async () => {
    const before = { ...agents("millrace: { mayStart: [helper] }", ""), ...automation("") };
    const after = { ...before, ...automation("millrace: { mayStart: [boss, helper] }\n") };
    expect(await warningsOf(before, after)).toEqual([
      expect.stringMatching(/^grant_widened automations\/a.md:2 .*automation "a" .*the agent "boss"$/),
    ]);
  });

  test("and not of those that may start less, or are as they were", async () => {
    const before = agents("", "millrace: { mayStart: [boss] }");
    expect(await warningsOf(before, before)).toEqual([]);
    expect(await warningsOf(before, agents("millrace: { mayStart: [helper], depth: 1 }", ""))).toEqual([]);
  });
});

describe("a plan warns of runs that can reach more than before", () => {
  const limited = (network: string) => ({
    "agents/boss/agent.md": `---\nagentType: FOREMAN\n${network === "" ? "" : `millrace: { network: ${network} }`}\n---\n`,
  });

  test("because a list has another host, or is gone, or is not locked any more", async () => {
    const before = limited('{ allow: ["@npm", "a.example.com"], locked: true }');
    const warning = (what: string) => [
      expect.stringMatching(new RegExp(`^network_widened agents/boss.*"boss" can reach more.*: ${what}$`)),
    ];
    const added = limited('{ allow: ["@npm", "*.example.com"], locked: true }');
    expect(await warningsOf(before, added)).toEqual(warning("\\*.example.com"));
    expect(await warningsOf(before, limited("all"))).toEqual(warning("all"));
    expect(await warningsOf(before, limited(""))).toEqual(warning("network is not set any more"));
    const unlocked = limited('{ allow: ["a.example.com"] }');
    expect(await warningsOf(before, unlocked)).toEqual(warning("the list is not locked any more"));
  });

  test("and not of those that can reach less, or everything as before", async () => {
    expect(await warningsOf(limited('{ allow: ["@npm"] }'), limited("none"))).toEqual([]);
    expect(await warningsOf(limited("all"), limited('{ allow: ["@npm"] }'))).toEqual([]);
    expect(await warningsOf(limited(""), limited("all"))).toEqual([]);
  });
});
