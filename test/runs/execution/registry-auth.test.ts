import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { AUTH_FILE, writeRegistryAuth } from "../../../src/runs/execution/registry-auth.ts";
import { temporaryFolder } from "../../given/folder.ts";

const REGISTRY = JSON.stringify({ host: "registry.example.com", user: "ann", password: "secret" });

function write(folder: string, values: [string, string][]) {
  const vault = { open: async () => new Map(values) };
  const ofRun = { reader: { agentsOf: "f" }, folder, runId: "run", factoryName: "Ann's mill" };
  return writeRegistryAuth({ registrySecret: "REGISTRY" }, { vault, ...ofRun });
}

test("a credential of a registry that cannot be written leaves nothing of it", async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "run", AUTH_FILE), { recursive: true });
  await expect(write(folder, [["REGISTRY", REGISTRY]])).rejects.toThrow("EISDIR");
  expect(existsSync(join(folder, "run"))).toBe(false);
});

test("a credential of a registry that is not there is set for its factory, whose name a shell takes", async () => {
  await expect(write(temporaryFolder(), [])).rejects.toMatchObject({
    remedy: "Set it with `millrace secrets set REGISTRY --factory 'Ann'\\''s mill'`.",
  });
});
