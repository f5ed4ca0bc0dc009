import { expect, test } from "vitest";
import type { CloudEnvironment } from "../../../src/runs/agents/cloud-environment.ts";
import type { Run } from "../../../src/runs/run.ts";
import type { AmbientAgentConfig } from "../../../src/runs/run-config.ts";
import { type NeedsDeps, needsOf } from "../../../src/runs/turn/needs.ts";
import { FACTORY, load, withNeededRepository } from "../../given/definition.ts";
import { aRun } from "../../given/store.ts";

const RUNNER = `
setupCommands: [make]
instanceShape: { vcpus: 4, memoryGb: 8 }
platform: { linux: { dockerImage: "node:22" } }
`;

const ENVIRONMENT = {
  uid: "e",
  config: {
    name: "node",
    dockerImage: "node:20",
    repositories: [{ owner: "acme", name: "api" }],
    setupCommands: ["npm ci"],
    secrets: ["SHARED", "HOOK"],
  },
} as unknown as CloudEnvironment;

async function needs(config: AmbientAgentConfig, parts: Partial<NeedsDeps> = {}, files = FACTORY) {
  const { definition } = await load({
    ...files,
    "runners/large.yaml": RUNNER,
    "runners/bare.yaml": "setupCommands: [make]\n",
    "runners/cached.yaml": "setupCommands: [make]\nmillrace: { cacheSetup: true }\n",
    "runners/never.yaml": "setupCommands: [make]\nmillrace: { cacheSetup: false }\n",
    "runners/empty.yaml": "millrace: { cacheSetup: false }\n",
  });
  if (!definition) throw new Error("the definition is not valid");
  const run = { ...aRun({ factoryUid: "f", config }), turn: 1 } as unknown as Run;
  return needsOf(run, {
    environments: { find: async (uid) => (uid === "e" ? ENVIRONMENT : undefined) },
    activeOf: () => ({ generation: 0, definition, resources: [], webhooks: [], uidOf: () => undefined }),
    webhookSecrets: () => new Set(["HOOK"]),
    hasForges: true,
    ...parts,
  });
}

test("the machine of a runner comes before the image of the environment", async () => {
  expect(await needs({ runner_id: "large", environment_id: "e" })).toMatchObject({
    machine: { image: "node:22", shape: { vcpus: 4, memoryGb: 8 } },
    setupCommands: [
      { command: "npm ci", of: "the environment node" },
      { command: "make", of: "the runner large" },
    ],
  });
  expect(await needs({ runner_id: "bare", environment_id: "e" })).toMatchObject({
    machine: { image: "node:20" },
  });
  expect(await needs({})).toMatchObject({ machine: {}, setupCommands: [] });
});

test("the repositories are those of the environment or else of the factory, with or without a forge", async () => {
  expect(await needs({ environment_id: "e" })).toMatchObject({
    repositories: [{ owner: "acme", name: "api" }],
  });
  expect(await needs({})).toMatchObject({ repositories: [{ owner: "acme", name: "shop" }] });
  const nowhere = { hasForges: false };
  expect(await needs({}, nowhere, withNeededRepository())).toMatchObject({
    repositories: [{ owner: "acme", name: "shop" }],
  });
  expect(await needs({ environment_id: "e" }, nowhere)).toMatchObject({
    repositories: [{ owner: "acme", name: "api" }],
    repositoriesOf: "environment",
  });
});

test("repositories that the factory calls optional are left out where there is no forge", async () => {
  expect(await needs({}, { hasForges: false })).toMatchObject({ repositories: [] });
  expect(await needs({})).toMatchObject({ repositories: [{ owner: "acme", name: "shop" }] });
});

test("what a run names and is not there is told by its name", async () => {
  expect(await needs({ environment_id: "gone" })).toEqual({
    missing: expect.stringContaining('the environment "gone"'),
  });
  expect(await needs({ runner_id: "gone" })).toEqual({
    missing: expect.stringContaining("no runners/gone.yaml"),
  });
});

test.each([
  [null, "bare", null],
  [null, "cached", null],
  [true, "bare", null],
  [true, "cached", true],
  [true, "never", false],
  [false, "cached", false],
  [true, "empty", true],
  [undefined, "cached", true],
] as const)(
  "an environment that says %s and the runner %s: setup is cached: %s",
  async (cacheSetup, runner, expected) => {
    const config = { ...ENVIRONMENT.config, cacheSetup: cacheSetup ?? null };
    const environments = { find: async () => ({ ...ENVIRONMENT, config }) };
    const ids = { runner_id: runner, ...(cacheSetup === undefined ? {} : { environment_id: "e" }) };
    expect(await needs(ids, { environments })).toMatchObject({ cacheSetup: expected });
  },
);
