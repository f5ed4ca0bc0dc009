import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { AUTH_FILE, writeRegistryAuth } from "../../../src/executor/sandbox/registry-auth.ts";
import { openRegistryCredential } from "../../../src/runs/turn/assign-turn.ts";
import { temporaryFolder } from "../../given/folder.ts";

test("a credential of a registry that cannot be written leaves nothing of it", async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "run", AUTH_FILE), { recursive: true });
  const auths = { "registry.example.com": { auth: "YW5uOnNlY3JldA==" } };
  await expect(writeRegistryAuth(auths, { folder, runId: "run" })).rejects.toThrow("EISDIR");
  expect(existsSync(join(folder, "run"))).toBe(false);
});

test("a credential of a registry that is not there is set for its factory, whose name a shell takes", async () => {
  const vault = { open: async () => new Map() };
  const ofRun = { vault, reader: { agentsOf: "f" }, factoryName: "Ann's mill" };
  await expect(openRegistryCredential({ registrySecret: "REGISTRY" }, ofRun)).rejects.toMatchObject({
    remedy: "Set it with `millrace secrets set REGISTRY --factory 'Ann'\\''s mill'`.",
  });
});
