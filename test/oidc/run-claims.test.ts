import { describe, expect, test } from "vitest";
import { type ClaimedFactory, runClaims } from "../../src/oidc/run-claims.ts";

const RUN = {
  id: "01a1fe22-6744-70ce-94a0-348515e54587",
  turn: 2,
  factoryUid: "f",
  automationUid: "u-deploy",
  agentUid: "u-boss",
  executor: { uid: "p", type: "service_account", displayName: "boss" },
  source: "GITHUB_WEBHOOK",
  execution: { harness: { type: "command", model: "none" }, secrets: [], event: "push" },
} as unknown as Parameters<typeof runClaims>[0];

const resource = (kind: string, name: string, deleted = false) => ({ kind, name, uid: `u-${name}`, deleted });
const factory = (name = "acme", record: object = {}) =>
  ({
    record: {
      ...{ uid: "f", name, mode: "repository" },
      source: { url: "https://github.com/acme/factory.git", branch: "main", path: "." },
      sync: { appliedRevision: "c".repeat(40) },
      ...record,
    },
    active: {
      resources: [
        resource("automation", "deploy"),
        resource("automation", "gone", true),
        resource("agent", "boss"),
      ],
    },
  }) as unknown as ClaimedFactory;

describe("the token of a run says", () => {
  test("which automation of which factory started it, from which commit, and on what event", () => {
    expect(runClaims(RUN, factory())).toEqual({
      sub: "factory:acme:automation:deploy",
      factory: "acme",
      factory_uid: "f",
      automation: "deploy",
      automation_uid: "u-deploy",
      agent: "boss",
      run: RUN.id,
      turn: 2,
      repository: "https://github.com/acme/factory.git",
      commit: "c".repeat(40),
      event: "push",
      source: "GITHUB_WEBHOOK",
    });
  });

  test("its agent, if no automation started it", () => {
    const claims = runClaims(
      { ...RUN, automationUid: null, execution: { ...RUN.execution, event: undefined } as never },
      factory(),
    );
    expect(claims).toMatchObject({ sub: "factory:acme:agent:boss", agent: "boss" });
    expect(claims).not.toHaveProperty("automation");
    expect(claims).not.toHaveProperty("event");
    expect(runClaims({ ...RUN, automationUid: null, agentUid: null }, factory()).sub).toBe(
      "factory:acme:agent:default",
    );
  });

  test("its principal, if it is of no factory", () => {
    expect(runClaims({ ...RUN, factoryUid: null, automationUid: null }, undefined)).toMatchObject({
      sub: "principal:p",
      agent: "boss",
    });
  });

  test("the name that an automation had before it was deleted, and the uid of one that is unknown", () => {
    expect(runClaims({ ...RUN, automationUid: "u-gone" }, factory()).sub).toBe(
      "factory:acme:automation:gone",
    );
    expect(runClaims({ ...RUN, automationUid: "u-x" }, factory()).sub).toBe("factory:acme:automation:u-x");
  });

  test("neither a folder of the server nor what is no commit", () => {
    const ofFolder = runClaims(RUN, factory("acme", { mode: "folder", source: { path: "/srv/factory" } }));
    expect(Object.keys(ofFolder)).not.toEqual(expect.arrayContaining(["repository"]));
    expect(Object.keys(ofFolder)).not.toEqual(expect.arrayContaining(["commit"]));
    const managed = runClaims(RUN, factory("acme", { mode: "managed", source: { path: "managed" } }));
    expect(managed).toMatchObject({ commit: "c".repeat(40) });
    expect(managed).not.toHaveProperty("repository");
  });
});

test.each([
  ["acme:automation:deploy", "factory:acme%3Aautomation%3Adeploy:automation:deploy"],
  ["acme%3Aautomation", "factory:acme%253Aautomation:automation:deploy"],
  ["a:agent", "factory:a%3Aagent:automation:deploy"],
])("a factory that is called %s is not taken for another", (name, sub) => {
  expect(runClaims(RUN, factory(name)).sub).toBe(sub);
});
