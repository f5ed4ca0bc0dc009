import { hostname } from "node:os";
import { expect, test } from "vitest";
import type { Models } from "../../../src/client/client.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { FACTORY } from "../../given/definition.ts";
import { ADMIN_KEY, run } from "../../given/server.ts";
import { serving } from "../../given/serving.ts";

const stage = sharedByFile(async () => {
  const { server } = await serving(FACTORY, {});
  const env = { MILLRACE_SERVER: server.url, MILLRACE_API_KEY: ADMIN_KEY };
  return { list: (...args: string[]) => run(["servers", "list", ...args], env) };
});

test("servers are listed with their status, their load and who leads", async () => {
  const { code, printed } = await stage().list();
  expect(code).toBe(0);
  const [headings, row] = printed.split("\n");
  expect(headings).toMatch(/^UID +NAME +STATUS +LEADER +LOAD +VERSION +STARTED +LAST SEEN$/);
  expect(row).toContain(hostname());
  expect(row).toMatch(/ connected +yes +0 of \d+ +\d/);
});

test("a program gets the servers as the API describes them", async () => {
  const { printed } = await stage().list("--json");
  const [server] = JSON.parse(printed) as Models["Server"][];
  expect(server).toMatchObject({ name: hostname(), is_this: true, is_leader: true });
});
