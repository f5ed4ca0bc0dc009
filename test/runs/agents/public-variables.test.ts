import { expect, test } from "vitest";
import { agentEnvironment } from "../../../src/executor/execution/prepare-turn.ts";
import { workspaceAt } from "../../../src/executor/workspace/workspace.ts";

const identity = {
  run: { id: "r-1", turn: 1, factoryUid: "f-1" },
  workspace: workspaceAt("/w", false),
  apiUrl: "http://127.0.0.1:8787",
};

test("a run has the variables that prompts of the public service test for, which no secret can replace", () => {
  const secrets = new Map([["WARP_API_KEY", "stolen"]]);
  expect(agentEnvironment({ ...identity, runToken: "t" }, secrets)).toMatchObject({
    WORKSPACE_ROOT: "/w",
    OZ_RUN_ID: "r-1",
    WARP_FACTORY_ID: "f-1",
    WARP_FACTORY_ORIGIN: "http://127.0.0.1:8787",
    WARP_SERVER_ROOT_URL: "http://127.0.0.1:8787",
    WARP_API_KEY: "t",
  });
});

test("no secret stands in for who the run is, nor for where its files and programs are", () => {
  const given = { ...identity, workspace: workspaceAt("/w", true), runToken: "t" };
  const own = agentEnvironment(given, new Map());
  expect(Object.keys(own)).toEqual(
    expect.arrayContaining(["MILLRACE_RUN_ID", "MILLRACE_API_URL", "MILLRACE_RUN_TOKEN", "HOME", "PATH"]),
  );
  const stolen = new Map(Object.keys(own).map((name) => [name, "stolen"]));
  expect(agentEnvironment(given, stolen)).toEqual(own);
});

test("a run of no factory names none, and a setup command has no token under any name", () => {
  const environment = agentEnvironment(
    { ...identity, run: { ...identity.run, factoryUid: null } },
    new Map(),
  );
  for (const name of ["WARP_FACTORY_ID", "WARP_FACTORY_ORIGIN", "WARP_API_KEY", "MILLRACE_RUN_TOKEN"])
    expect(environment).not.toHaveProperty(name);
});
