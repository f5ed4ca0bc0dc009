import { expect, test } from "vitest";
import type { DefinitionChange } from "../../../src/definitions/changes/plan.ts";
import { FILE_START } from "../../../src/definitions/problem.ts";
import { newNamesArePlain } from "../../../src/definitions/rules/check-server.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { listeningTo, serveManaged } from "../../given/managed.ts";

const kept = sharedByFile(serveManaged);

test.each(["Bad Name!", "a.b", "naïve"])(
  "a new automation cannot be named %s, nor a new webhook",
  async (name) => {
    const { call } = kept();
    const path = encodeURIComponent(name);
    const automation = await call("PUT", `/automations/${path}`, { body: { content: listeningTo("ci") } });
    expect([automation.status, automation.body.problems]).toEqual([
      400,
      [expect.objectContaining({ message: expect.stringContaining("letters, digits, - and _") })],
    ]);
    expect((await call("POST", "/webhooks", { body: { name } })).status).toBe(400);
  },
);

test("active webhooks and automations keep the names that they have", () => {
  const change = (action: DefinitionChange["action"]): DefinitionChange => ({
    action,
    kind: "webhook",
    name: "Bad Name!",
    path: "webhooks/Bad Name!.yaml",
    uid: "u",
    body: "{}",
    fingerprint: "f",
    fields: [],
    values: [],
  });
  type Asked = Parameters<typeof newNamesArePlain>[0];
  const problem: Asked["problem"] = (path, _at, code, message) => {
    return { code, message, path, ...FILE_START, severity: "error" };
  };
  const found = (action: DefinitionChange["action"]) =>
    newNamesArePlain({ state: { changes: [change(action)] }, problem } as unknown as Asked);
  expect([found("update"), found("delete"), found("unchanged")]).toEqual([[], [], []]);
  expect(found("create")).toHaveLength(1);
});
