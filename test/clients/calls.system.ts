import { describe, expect, test } from "vitest";
import { sharedByFile } from "../given/cleanup.ts";
import { askAsPython } from "../given/other-clients.ts";
import { CALLS } from "./call-table.ts";
import { clientStage } from "./stage.ts";

const stage = sharedByFile(clientStage);

/** What the newest clients can call and this server does not have, with the reason. */
const NOT_HERE = [
  ["GET", "/agent/run-by-external-reference?url=https://example.com", "artifacts are not indexed by URL"],
  ["POST", "/agent/runs/{run}/interrupt", "a program can be cancelled or sent a message, not interrupted"],
  ["POST", "/agent/runs/{run}/scores", "there are no scorers"],
  ["GET", "/agent/conversations/{run}/screenshots/s/download", "there is no computer use"],
  ["GET", "/networking/egress-ranges", "only the operator of a server knows its addresses"],
  ["GET", "/factory/acme/scorers", "there are no scorers"],
  ["GET", "/factory/acme/benchmarks/suites", "there are no benchmarks"],
] as const;

describe("what the suites of the public clients call", () => {
  test.each(CALLS)(
    "%s is answered with the members that its clients declare",
    async (_method, members, call) => {
      const answer = (await call(stage())) as Record<string, unknown> | undefined;
      expect(Object.keys(answer ?? {})).toEqual(expect.arrayContaining([...members]));
    },
  );

  test("every method of the client that npm has is in the table", () => {
    const { agent } = stage().client;
    const methodsOf = (prefix: string, resource: object) =>
      Object.getOwnPropertyNames(Object.getPrototypeOf(resource))
        .filter((name) => name !== "constructor")
        .map((name) => `${prefix}.${name}`);
    const methods = [
      ...methodsOf("agent", agent),
      ...methodsOf("runs", agent.runs),
      ...methodsOf("schedules", agent.schedules),
    ];
    expect(methods.length).toBeGreaterThan(10);
    const inTable = new Set(CALLS.map(([method]) => method));
    expect(methods.filter((method) => !inTable.has(method))).toEqual([]);
  });

  test.each(NOT_HERE)("%s %s is not here: %s", async (method, path) => {
    const target = path.replace("{run}", stage().left.run_id);
    const { status, contentType } = await askAsPython(stage().server, method, target);
    expect([status, contentType]).toEqual([404, "application/problem+json; charset=utf-8"]);
  });
});
