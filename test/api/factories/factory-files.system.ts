import { describe, expect, test } from "vitest";
import type { components } from "../../../src/client/api-types.ts";
import { ask } from "../../given/ask.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { automationOn, FACTORY, TOKEN_WEBHOOK } from "../../given/definition.ts";
import { type Files, folderWith } from "../../given/folder.ts";
import { LOOPBACK_PROXY, startServer } from "../../given/server.ts";

type Models = components["schemas"];

const server = sharedByFile(() => startServer({ sources: [folderWith(FACTORY)] }));
/** Every request of a test comes from an address of its own: what needs no key is limited by address. */
const behind = sharedByFile(() => startServer({ sources: [folderWith(FACTORY)], env: LOOPBACK_PROXY }));

const get = <Body>(path: string, headers: Record<string, string> = {}) =>
  ask<Body>(server(), "GET", `/factory-files/schemas${path}`, { key: "", headers });
const validate = (files: Files) =>
  ask<Models["FilesValidation"]>(server(), "POST", "/factory-files/validate", {
    body: { files: Object.entries(files).map(([path, content]) => ({ path, content: String(content) })) },
  });

describe("the schemas of the definition format", () => {
  test("are served without a key, one by one and all together", async () => {
    const versions = (await get<Models["FactoryFileVersions"]>("")).body;
    const url = versions.versions[0]?.schema_url ?? "";
    expect([versions.current_version, url]).toEqual(["v1alpha1", "/api/v1/factory-files/schemas/v1alpha1"]);
    const { documents } = (await get<Models["FactoryFileSchemas"]>("/v1alpha1")).body;
    expect(Object.keys(documents).sort()).toEqual([
      "agent.schema.json",
      "automation.schema.json",
      "benchmark_suite.schema.json",
      "benchmark_suite_task.schema.json",
      "common.schema.json",
      "factory.schema.json",
      "filter_test.schema.json",
      "outbound.schema.json",
      "runner.schema.json",
      "scorer.schema.json",
      "webhook.schema.json",
    ]);
    for (const [name, schema] of Object.entries(documents)) {
      expect((await get(`/v1alpha1/${name}`)).body).toEqual(schema);
    }
  });

  test("are not sent again to a client that has them", async () => {
    for (const path of ["", "/v1alpha1", "/v1alpha1/webhook.schema.json"]) {
      const { headers } = await get(path);
      const etag = headers.get("etag") ?? "";
      expect(etag).toMatch(/^"[\w-]+"$/);
      for (const known of [etag, `W/${etag}`, `"x", ${etag}`, "*"]) {
        expect((await get(path, { "if-none-match": known })).status).toBe(304);
      }
      expect((await get(path, { "if-none-match": '"another"' })).status).toBe(200);
    }
  });

  test.each([
    "/v2",
    "/v1alpha1/secret.schema.json",
    "/v1alpha1/__proto__",
    "/v1alpha1/..%2F..%2Fpackage.json",
  ])("%s is not one of them", async (path) => {
    expect((await get(path)).status).toBe(404);
  });
});

describe("files that are sent to be checked", () => {
  test("get problems with their places, and a list of what depends on the state of a server", async () => {
    const valid = await validate({
      ...FACTORY,
      "webhooks/ci.yaml": TOKEN_WEBHOOK,
      "automations/a.md": automationOn(["ci"]),
    });
    expect(valid.body).toMatchObject({ valid: true, schema_version: "v1alpha1", diagnostics: [] });
    expect(valid.body.validation_scope).toEqual({
      parser: true,
      state_independent: true,
      state_dependent: false,
    });
    expect(valid.body.deferred_resolutions).toContainEqual({
      path: "webhooks/ci.yaml",
      field: "secretName",
      kind: "secret",
    });
    const { status, body } = await validate({ ...FACTORY, "webhooks/ci.yaml": "secretname: X\n" });
    expect([status, body.valid]).toEqual([200, false]);
    expect(body.diagnostics).toContainEqual(
      expect.objectContaining({ code: "FF_UNKNOWN_FIELD", path: "webhooks/ci.yaml", line: 1, column: 1 }),
    );
  });

  test("may be 256, of 256 KiB each and 2 MiB in all", async () => {
    const many = Object.fromEntries(Array.from({ length: 257 }, (_, n) => [`notes/${n}.txt`, ""]));
    const large = (bytes: number) => "x".repeat(bytes);
    const whole = Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`notes/${n}`, large(240 * 1024)]));
    expect((await validate(many)).status).toBe(400);
    expect((await validate({ "notes/a": large(256 * 1024 + 1) })).status).toBe(400);
    expect((await validate(whole)).status).toBe(400);
    expect((await validate({ "notes/a": large(256 * 1024) })).status).toBe(200);
    const raw = large(5 * 1024 * 1024);
    expect((await ask(server(), "POST", "/factory-files/validate", { raw })).status).toBe(413);
  });

  test("without a key are refused, unless the settings allow anyone to send them", async () => {
    const body = { files: [{ path: "webhooks/ci.yaml", content: TOKEN_WEBHOOK }] };
    const asAnybody = { key: "", body };
    expect((await ask(server(), "POST", "/factory-files/validate", asAnybody)).status).toBe(401);
    const open = await startServer({
      sources: [folderWith(FACTORY)],
      env: { MILLRACE_PUBLIC_VALIDATE: "on" },
    });
    for (let n = 0; n < 60; n += 1) {
      expect((await ask(open, "POST", "/factory-files/validate", asAnybody)).status).toBe(200);
    }
    expect((await ask(open, "POST", "/factory-files/validate", asAnybody)).status).toBe(429);
    expect((await ask(open, "POST", "/factory-files/validate", { body })).status).toBe(200);
    expect((await ask(open, "POST", "/factory-files/validate", { key: "wrong", body })).status).toBe(401);
  });
});

test("calls without a key are limited for each address separately", async () => {
  const from = (address: string) =>
    ask(behind(), "GET", "/factory-files/schemas", { key: "", headers: { "x-forwarded-for": address } });
  for (let n = 0; n < 60; n += 1) expect((await from("192.0.2.1")).status).toBe(200);
  const refused = await from("192.0.2.1");
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await from("192.0.2.2")).status).toBe(200);
});
