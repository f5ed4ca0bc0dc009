import { expect, test } from "vitest";
import type { Change } from "../../src/definitions/plan.ts";
import { FILE_START } from "../../src/definitions/problem.ts";
import { newNamesArePlain } from "../../src/reconcile/new-name-rules.ts";
import { sharedByFile } from "../given/cleanup.ts";
import { keeping, listeningTo } from "../given/kept.ts";

const kept = sharedByFile(keeping);

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

test("webhooks and automations that are in force keep the names that they have", () => {
  const change = (action: Change["action"]): Change => ({
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
  const found = (action: Change["action"]) =>
    newNamesArePlain([change(action)], { locate: () => FILE_START });
  expect([found("update"), found("delete"), found("unchanged")]).toEqual([[], [], []]);
  expect(found("create")).toHaveLength(1);
});
