import { describe, expect, test } from "vitest";
import { acmeServer, ask } from "../../given/ask.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { FACTORY } from "../../given/definition.ts";
import { serveManaged, type Webhook } from "../../given/managed.ts";
import { objectSchemas, type Schema } from "../../given/object-schemas.ts";
import { serving } from "../../given/serving.ts";

/** One server for the tests that change nothing that others look at. */
const shared = sharedByFile(() => acmeServer());

describe("an error", () => {
  test("is a problem document that says what, where and what to do", async () => {
    const server = await acmeServer();
    const { status, headers, body } = await ask(server, "POST", "/agent/runs", {
      body: { promt: "x", title: 7 },
    });
    expect(status).toBe(400);
    expect(headers.get("content-type")).toMatch(/^application\/problem\+json/);
    expect(body).toMatchObject({
      type: `${server.url}/errors/invalid_request`,
      title: "The request is not valid",
      status: 400,
      error: expect.stringMatching(/^The request is not valid \(/),
      instance: "/api/v1/agent/runs",
      retryable: false,
      trace_id: expect.any(String),
      remedy: expect.any(String),
      errors: [
        { field: "prompt", message: expect.stringContaining('missing key "prompt"') },
        { field: "promt", message: expect.stringContaining('did you mean "prompt"?') },
        { field: "title", message: expect.stringContaining("expected a string, found 7") },
      ],
    });
  });

  test.each<[string, string, string, object, number, string]>([
    ["no key", "GET", "/factories", { key: "" }, 401, "authentication_required"],
    ["a wrong key", "GET", "/factories", { key: "mr_nobody" }, 401, "authentication_required"],
    ["a wrong run token", "GET", "/agent/runs", { key: "mrt_nobody" }, 401, "authentication_required"],
    ["an unknown path", "GET", "/nothing", {}, 404, "resource_not_found"],
    ["another method", "DELETE", "/audit-log", {}, 405, "method_not_allowed"],
    ["an unknown factory", "GET", "/factories/nobody", {}, 404, "resource_not_found"],
    ["an unknown webhook", "GET", "/factories/acme/webhooks/nobody", {}, 404, "resource_not_found"],
    ["an unknown delivery", "GET", "/factories/acme/deliveries/nobody", {}, 404, "resource_not_found"],
    ["an unknown automation", "GET", "/factories/acme/automations/nobody", {}, 404, "resource_not_found"],
    ["a malformed run id", "GET", "/agent/runs/nobody", {}, 400, "invalid_request"],
    [
      "an unknown run id",
      "GET",
      "/agent/runs/01a1fe22-6744-70ce-94a0-348515e54587",
      {},
      404,
      "resource_not_found",
    ],
    ["no body", "POST", "/agent/runs", {}, 400, "invalid_request"],
    ["a body that is no JSON", "POST", "/agent/runs", { raw: "{" }, 400, "invalid_request"],
    [
      "a body that is no UTF-8",
      "POST",
      "/agent/runs",
      { raw: Buffer.from([0x22, 0xff, 0x22]) },
      400,
      "invalid_request",
    ],
    ["a body that is no object", "POST", "/agent/runs", { body: [] }, 400, "invalid_request"],
    [
      "an unknown priority",
      "POST",
      "/agent/runs",
      { body: { prompt: "p", config: { priority: "urgent" } } },
      400,
      "invalid_request",
    ],
    ["an empty prompt", "POST", "/agent/runs", { body: { prompt: "" } }, 400, "invalid_request"],
    [
      "an attachment with a path",
      "POST",
      "/agent/runs",
      { body: { prompt: "x", attachments: [{ file_name: "../x", mime_type: "a/b", data: "" }] } },
      400,
      "invalid_request",
    ],
    ["an unknown query key", "GET", "/agent/runs?colour=red", {}, 400, "invalid_request"],
    ["a limit of nothing", "GET", "/agent/runs?limit=0", {}, 400, "invalid_request"],
    ["a limit that is too large", "GET", "/agent/runs?limit=501", {}, 400, "invalid_request"],
    ["a limit given twice", "GET", "/agent/runs?limit=1&limit=2", {}, 400, "invalid_request"],
    ["an unknown state", "GET", "/agent/runs?state=LOST", {}, 400, "invalid_request"],
    ["a cursor that was made up", "GET", "/agent/runs?cursor=abc", {}, 400, "invalid_request"],
    ["an unknown key id", "DELETE", "/api-keys/nobody", {}, 404, "resource_not_found"],
    [
      "an unknown factory of a key",
      "POST",
      "/api-keys",
      { body: { name: "x", factories: ["nobody"] } },
      404,
      "resource_not_found",
    ],
  ])("of %s has its own status and code", async (_, method, path, options, status, code) => {
    const server = shared();
    const answer = await ask(server, method, path, options);
    expect([answer.status, answer.body.type]).toEqual([status, `${server.url}/errors/${code}`]);
    if (status === 405) expect(answer.headers.get("allow")).toBe("GET");
  });
});

test("an answer 401 says what it asks for", async () => {
  const { headers, status } = await ask(await acmeServer(), "GET", "/agent/runs", { key: "" });
  expect([status, headers.get("www-authenticate")]).toEqual([401, 'Bearer realm="millrace"']);
});

const stage = sharedByFile(() => serving(FACTORY, {}));

describe("bad input names its field:", () => {
  const metadata = (key: string, value: string) => ({ metadata: { [key]: value } });
  const aMebibyte = 1024 * 1024;
  test.each<[string, number, string, object]>([
    ["no prompt and no skill", 400, "prompt", { prompt: undefined }],
    ["an empty prompt", 400, "prompt", { prompt: "" }],
    ["a prompt with NUL", 400, "prompt", { prompt: "a\0b" }],
    ["a prompt with half a character", 400, "prompt", { prompt: "\ud800" }],
    ["a prompt of more than a mebibyte", 413, "prompt", { prompt: "é".repeat(aMebibyte / 2 + 1) }],
    [
      "a base prompt of more than a mebibyte",
      413,
      "config.base_prompt",
      { config: { base_prompt: "x".repeat(aMebibyte + 1) } },
    ],
    ["a title that is too long", 400, "title", { title: "x".repeat(501) }],
    ["a title that is no text", 400, "title", { title: 7 }],
    ["a key that no client knows", 400, "promt", { promt: "p" }],
    ["a key of the configuration that no client knows", 400, "config.colour", { config: { colour: "red" } }],
    [
      "an environment that is not there",
      400,
      "config.environment_id",
      { config: { environment_id: "A".repeat(22) } },
    ],
    ["an environment that cannot be", 400, "config.environment_id", { config: { environment_id: "a b" } }],
    ["an agent that is not there", 400, "agent_identity_uid", { agent_identity_uid: "B".repeat(22) }],
    ["a parent that is no id", 400, "parent_run_id", { parent_run_id: "x" }],
    [
      "a parent that is not there",
      400,
      "parent_run_id",
      { parent_run_id: "01a1fe22-6744-70ce-94a0-348515e54587" },
    ],
    [
      "skill_spec beside skills",
      400,
      "config.skills",
      { config: { skill_spec: "a/b:c", skills: ["a/b:c"] } },
    ],
    ["no skills in a list of skills", 400, "config.skills", { config: { skills: [] } }],
    [
      "an MCP server of two kinds",
      400,
      "config.mcp_servers.m",
      { config: { mcp_servers: { m: { url: "u", command: "c" } } } },
    ],
    ["an MCP server of no kind", 400, "config.mcp_servers.m", { config: { mcp_servers: { m: {} } } }],
    [
      "an idle time of more than an hour",
      400,
      "config.idle_timeout_minutes",
      { config: { idle_timeout_minutes: 61 } },
    ],
    [
      "another credential strategy",
      400,
      "config.credential_strategy",
      { config: { credential_strategy: "BOTH" } },
    ],
    ["metadata that is no map", 400, "metadata", { metadata: [] }],
    ["a metadata key with a space", 400, "metadata", metadata("a b", "v")],
    ["an empty metadata key", 400, "metadata", metadata("", "v")],
    ["a metadata key of 65 bytes", 400, "metadata", metadata("k".repeat(65), "v")],
    ["a metadata value of 257 bytes", 400, "metadata.k", metadata("k", `${"é".repeat(128)}x`)],
    ["a metadata value with NUL", 400, "metadata.k", metadata("k", "\0")],
    ["a metadata value that is no text", 400, "metadata.k", { metadata: { k: 1 } }],
    [
      "21 pairs of metadata",
      400,
      "metadata",
      { metadata: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`k${n}`, ""])) },
    ],
    [
      "six attachments",
      400,
      "attachments",
      { attachments: Array(6).fill({ file_name: "a", mime_type: "a/b", data: "" }) },
    ],
    [
      "an attachment that is no base64",
      400,
      "attachments[0].data",
      { attachments: [{ file_name: "a", mime_type: "a/b", data: "abc" }] },
    ],
    [
      "an attachment with a path",
      400,
      "attachments[0].file_name",
      { attachments: [{ file_name: "../a", mime_type: "a/b", data: "" }] },
    ],
  ])("%s", async (_, status, field, changes) => {
    const answer = await ask(stage().server, "POST", "/agent/runs", { body: { prompt: "p", ...changes } });
    expect([answer.status, answer.body.field]).toEqual([status, field]);
  });

  test("bounds are met exactly by what is taken", async () => {
    const metadata = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`k${n}`, "é".repeat(128)]));
    const body = { prompt: "x".repeat(aMebibyte), metadata, title: "x".repeat(500) };
    expect((await ask(stage().server, "POST", "/agent/runs", { body })).status).toBe(200);
  });

  test.each<[string, string, string]>([
    ["limit=0", "limit", "limit"],
    ["limit=501", "limit", "limit"],
    ["limit=x", "limit", "limit"],
    ["sort_by=colour", "sort_by", "sort_by"],
    ["sort_order=up", "sort_order", "sort_order"],
    ["state=LOST", "state[0]", "one of"],
    [Array(100).fill("state=FAILED").join("&"), "state", "at most"],
    ["source=MAIL", "source[0]", "one of"],
    ["task_status=odd", "task_status[0]", "one of"],
    ["created_after=yesterday", "created_after", "time such as"],
    ["created_before=2026-13-01T00:00:00Z", "created_before", "time such as"],
    ["updated_after=2026-1-1", "updated_after", "time such as"],
    ["environment_id=short", "environment_id", "22"],
    ["execution_location=MOON", "execution_location", "one of"],
    ["artifact_type=SONG", "artifact_type", "one of"],
    ["ancestor_run_id=01a1fe22-6744-70ce-94a0-348515e54587", "ancestor_run_id", "no run"],
    ["skill=a/b:c&skill_spec=d/e:f", "skill_spec", "differ"],
    [[1, 2, 3, 4, 5, 6].map((n) => `metadata[k${n}]=v`).join("&"), "metadata", "metadata"],
    ["metadata[a b]=v", "metadata", "metadata"],
    ["metadata[k]=a&metadata[k]=b", "metadata.k", "string"],
    ["name=", "name", "empty"],
    ["factory_only=maybe", "factory_only", "true or false"],
    ["colour=red", "colour", "unknown"],
    ["cursor=abc", "cursor", "cursor"],
  ])("the query %s", async (query, field, words) => {
    const { status, body } = await ask(stage().server, "GET", `/agent/runs?${encodeURI(query)}`);
    expect([status, body.field]).toEqual([400, field]);
    expect(String(body.detail)).toContain(words);
  });
});

/** Objects whose members are not ours to say, with whose they are. */
const OPEN: Readonly<Record<string, string>> = {
  "AmbientAgentConfig.experimental": "the public API leaves it open",
  "AmbientAgentConfig.inference_providers": "each provider has settings of its own",
  "AmbientAgentConfig.output_schema": "a JSON Schema",
  "AutomationTrigger.filter": "as its author has written it",
  "AutomationTrigger.payload": "as its author has written it",
  "Delivery.payload": "as its sender has sent it",
  "FactoryFileSchemas.documents.*": "a JSON Schema",
  "FactoryDetails.agent_defaults.mcp_servers": "the public API leaves it open",
  "Outbound.filter": "as its author has written it",
  "OutboundDeliveryWithBody.body": "as its receiver gets it, with a resource of any kind",
  "OutboundExplanation.body": "as its receiver gets it, with a resource of any kind",
  "RunItem.answer_json": "as its agent has answered",
  "RunDelivery.payload": "as its sender has sent it",
  "TestDelivery.answer": "the ingress has answered it",
  getFactoryFileSchema: "a JSON Schema",
  getPayload: "as its sender has sent it",
};

function isClosed({ additionalProperties: others, unevaluatedProperties }: Schema): boolean {
  return others === false || typeof others === "object" || unevaluatedProperties === false;
}

test("every object of an answer has the members that are described and no others, but for those named here", () => {
  const open = [...objectSchemas()].filter(([, schema]) => !isClosed(schema)).map(([name]) => name);
  expect(open.sort()).toEqual(Object.keys(OPEN).sort());
});

test("every member that has to be there is described", () => {
  const undescribed = [...objectSchemas()].flatMap(([name, { required = [], properties = {} }]) =>
    required.filter((key) => !(key in properties)).map((key) => `${name}.${key}`),
  );
  expect(undescribed).toEqual([]);
});

test("no cache keeps what the API has answered: a webhook that gets its secret has the same tag and another state", async () => {
  const { server, create, call } = await serveManaged();
  const { uid } = await create({ name: "pay", auth_mode: "signature", signature_scheme: "stripe" });
  const read = () => call<Webhook>("GET", `/webhooks/${uid}`);
  const before = await read();
  await call("POST", `/webhooks/${uid}/rotate-secret`, { body: { secret: "whsec_given" } });
  const after = await read();
  expect([before.body.status, after.body.status]).toEqual(["awaiting_secret", "active"]);
  expect(after.headers.get("etag")).toBe(before.headers.get("etag"));
  for (const { headers } of [before, after]) expect(headers.get("cache-control")).toBe("no-store");
  expect((await ask(server, "GET", "/nothing")).headers.get("cache-control")).toBe("no-store");
});
