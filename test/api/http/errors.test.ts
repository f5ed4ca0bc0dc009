import { describe, expect, test } from "vitest";
import { acmeServer, ask } from "../../given/ask.ts";
import { sharedByFile } from "../../given/cleanup.ts";

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
