import { expect, test } from "vitest";
import { MILLRACE } from "../given/server.ts";
import { replayed } from "../given/shell.ts";

test("all of a first day works with git in PATH and nothing else, as it was typed", async () => {
  const { code, output } = await replayed("binary-alone.sh", { MILLRACE: MILLRACE[0] ?? "" });
  expect(code, output).toBe(0);
  expect(output).toMatch(/^Valid: 1 agent, 1 automation, 1 webhook\.$/m);
  expect(output).toMatch(/status: +synced/);
  expect(output).toContain("A build has failed. Write a report about it.");
}, 90_000);
