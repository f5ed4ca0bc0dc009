import { describe, expect, test } from "vitest";
import { sharedByFile } from "../given/cleanup.ts";
import { automationOn, FACTORY, TOKEN_WEBHOOK } from "../given/definition.ts";
import { folderWith } from "../given/folder.ts";
import { type Server, startServer, waitFor } from "../given/server.ts";
import { storyOf } from "../given/story.ts";

interface Answer {
  status: number;
  headers: Headers;
  body: Record<string, unknown>;
}

async function ask(
  server: Server,
  method: string,
  path: string,
  options: { key?: string; body?: unknown; raw?: string | Buffer } = {},
): Promise<Answer> {
  const { key = "test-admin-key-0123456789", body, raw } = options;
  const answer = await server.fetch(`/api/v1${path}`, {
    method,
    headers: { ...(key === "" ? {} : { authorization: `Bearer ${key}` }) },
    ...(raw === undefined ? (body === undefined ? {} : { body: JSON.stringify(body) }) : { body: raw }),
  });
  const text = await answer.text();
  return {
    status: answer.status,
    headers: answer.headers,
    body: text.startsWith("{") ? JSON.parse(text) : { text },
  };
}

const aServer = () =>
  startServer({
    sources: [
      folderWith({ ...FACTORY, "webhooks/ci.yaml": TOKEN_WEBHOOK, "automations/a.md": automationOn(["ci"]) }),
    ],
  });

/** One server for the tests that change nothing that others look at. */
const shared = sharedByFile(aServer);

describe("an error", () => {
  test("is a problem document that says what, where and what to do", async () => {
    const server = await aServer();
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
        { field: "title", message: expect.stringContaining("expected a text, found 7") },
      ],
    });
  });

  test.each<[string, string, string, object, number, string]>([
    ["no key", "GET", "/factories", { key: "" }, 401, "authentication_required"],
    ["a wrong key", "GET", "/factories", { key: "mr_nobody" }, 401, "authentication_required"],
    ["a wrong run token", "GET", "/agent/runs", { key: "mrt_nobody" }, 401, "authentication_required"],
    ["an unknown path", "GET", "/nothing", {}, 404, "resource_not_found"],
    ["another method", "DELETE", "/factories", {}, 405, "method_not_allowed"],
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

describe("a key", () => {
  test("does what its role allows", async () => {
    const server = await aServer();
    const make = async (role: string) =>
      (await server.api<{ key: string }>("POST", "/api-keys", { name: role, role })).key;
    const [viewer, operator, admin] = [await make("viewer"), await make("operator"), await make("admin")];
    const statuses = async (key: string) => [
      (await ask(server, "GET", "/agent/runs", { key })).status,
      (await ask(server, "POST", "/agent/runs", { key, body: { prompt: "x" } })).status,
      (await ask(server, "PUT", "/secrets/A", { key, body: { value: "x" } })).status,
      (await ask(server, "GET", "/api-keys", { key })).status,
    ];
    expect(await statuses(viewer)).toEqual([200, 403, 403, 403]);
    expect(await statuses(operator)).toEqual([200, 200, 403, 403]);
    expect(await statuses(admin)).toEqual([200, 200, 200, 200]);
  });

  test("creates as a person or as an agent", async () => {
    const server = await aServer();
    const story = storyOf(server);
    for (const [kind, type] of [
      ["personal", "user"],
      ["agent", "service_account"],
    ]) {
      const { key } = await server.api<{ key: string }>("POST", "/api-keys", {
        name: `${kind} key`,
        kind,
        role: "operator",
      });
      const { body } = await ask(server, "POST", "/agent/runs", { key, body: { prompt: "x" } });
      expect((await story.run(String(body.run_id))).creator).toMatchObject({
        type,
        display_name: `${kind} key`,
      });
    }
  });

  test("that is limited to a factory sees nothing beyond it", async () => {
    const other = folderWith({
      ...FACTORY,
      "factory.yaml": String(FACTORY["factory.yaml"]).replace("acme", "other"),
    });
    const server = await startServer({ sources: [folderWith(FACTORY), other] });
    await server.api("POST", "/factories/acme/sync?wait=true").catch(() => storyOf(server).sync());
    const wait = async () => {
      for (const { uid } of (await server.api<{ factories: { uid: string }[] }>("GET", "/factories"))
        .factories)
        await server.api("POST", `/factories/${uid}/sync?wait=true`);
    };
    await wait();
    const { key } = await server.api<{ key: string }>("POST", "/api-keys", {
      name: "limited",
      role: "admin",
      factories: ["other"],
    });
    const everywhere = await server.api<{ run_id: string }>("POST", "/agent/runs", {
      prompt: "of no factory",
    });
    const own = await ask(server, "POST", "/agent/runs", { key, body: { prompt: "mine" } });
    expect((await ask(server, "GET", "/factories", { key })).body.factories).toHaveLength(1);
    expect((await ask(server, "GET", "/factories/acme", { key })).status).toBe(404);
    expect((await ask(server, "GET", `/agent/runs/${everywhere.run_id}`, { key })).status).toBe(404);
    expect((await ask(server, "GET", `/agent/runs/${own.body.run_id}`, { key })).status).toBe(200);
    const { runs } = (await ask(server, "GET", "/agent/runs", { key })).body as {
      runs: { run_id: string; factory_uid: string }[];
    };
    expect(runs.map(({ run_id }) => run_id)).toEqual([own.body.run_id]);
    expect((await ask(server, "PUT", "/secrets/A", { key, body: { value: "x" } })).status).toBe(403);
    expect((await ask(server, "POST", "/api-keys", { key, body: { name: "x" } })).status).toBe(403);
    const unlimited = await server.api<{ runs: unknown[] }>("GET", "/agent/runs");
    expect(unlimited.runs).toHaveLength(2);
  });

  test("is shown once, and stops at once when it is revoked or expires", async () => {
    const server = await aServer();
    const created = await ask(server, "POST", "/api-keys", { body: { name: "short", role: "viewer" } });
    expect([created.status, Object.keys(created.body).sort()]).toEqual([201, ["id", "key"]]);
    const { id, key } = created.body as { id: string; key: string };
    expect((await ask(server, "GET", "/factories", { key })).status).toBe(200);
    const list = async () =>
      (await server.api<{ api_keys: Record<string, unknown>[] }>("GET", "/api-keys")).api_keys;
    // The use of a key is written down beside the answer, not before it.
    const api_keys = await waitFor(async () => {
      const keys = await list();
      return keys.find((item) => item.id === id)?.last_used_at ? keys : undefined;
    });
    expect(api_keys.find((item) => item.id === id)).toMatchObject({
      name: "short",
      kind: "personal",
      role: "viewer",
      prefix: key.slice(0, 8),
      last_used_at: expect.any(String),
    });
    expect(JSON.stringify(api_keys)).not.toContain(key);
    await server.api("DELETE", `/api-keys/${id}`);
    expect((await ask(server, "GET", "/factories", { key })).status).toBe(401);
    const expired = await server.api<{ key: string }>("POST", "/api-keys", {
      name: "old",
      expires_at: new Date(Date.now() + 1_000).toISOString(),
    });
    const status = async () => (await ask(server, "GET", "/factories", { key: expired.key })).status;
    expect(await status()).toBe(200);
    await waitFor(async () => (await status()) === 401 || undefined);
  });
});

describe("a list", () => {
  test("is walked page by page, each item once, with a cursor of this list only", async () => {
    const server = await aServer();
    const story = storyOf(server);
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1)
      ids.unshift((await server.api<{ run_id: string }>("POST", "/agent/runs", { prompt: `p${n}` })).run_id);
    for (const id of ids) await story.ended(id);
    const seen: string[] = [];
    let cursor = "";
    do {
      const page = await server.api<{
        runs: { run_id: string }[];
        page_info: { has_next_page: boolean; next_cursor?: string };
      }>("GET", `/agent/runs?limit=2${cursor}`);
      seen.push(...page.runs.map(({ run_id }) => run_id));
      expect(page.page_info.has_next_page).toBe(page.page_info.next_cursor !== undefined);
      cursor = page.page_info.next_cursor ? `&cursor=${page.page_info.next_cursor}` : "";
    } while (cursor !== "");
    expect(seen.sort()).toEqual(ids.sort());
    const { page_info } = await server.api<{ page_info: { next_cursor: string } }>(
      "GET",
      "/agent/runs?limit=2",
    );
    expect(
      (await ask(server, "GET", `/agent/runs?limit=2&state=FAILED&cursor=${page_info.next_cursor}`)).status,
    ).toBe(400);
    expect(
      (await ask(server, "GET", `/agent/runs?cursor=${page_info.next_cursor.replace(/^./, "x")}`)).status,
    ).toBe(400);
  });
});

describe("the rest of the outside", () => {
  test("health is told to anybody, readiness only when a definition is served", async () => {
    const server = await startServer({ sources: [folderWith({ "README.md": "nothing yet" })] });
    expect((await server.fetch("/healthz")).status).toBe(200);
    const ready = await server.fetch("/readyz");
    expect([ready.status, ready.headers.get("retry-after")]).toEqual([503, "5"]);
    const served = shared();
    await storyOf(served).setSecret("CI_SECRET", "x");
    await storyOf(served).sync();
    expect((await served.fetch("/readyz")).status).toBe(200);
  });

  test("the API describes itself, with the names that the public API gives its models", async () => {
    const server = shared();
    const document = (await (await server.fetch("/api/v1/openapi.json")).json()) as {
      openapi: string;
      components: { schemas: object };
    };
    expect(document.openapi).toBe("3.1.0");
    expect(Object.keys(document.components.schemas)).toEqual(
      expect.arrayContaining([
        "RunItem",
        "RunState",
        "RunAgentRequest",
        "RunAgentResponse",
        "ListRunsResponse",
        "PageInfo",
        "RunStatusMessage",
        "RunCreatorInfo",
        "RunSourceType",
        "AmbientAgentConfig",
        "MCPServerConfig",
        "Error",
      ]),
    );
  });

  test("a run has a plain page that shows its title without believing it", async () => {
    const server = shared();
    const { run_id } = await server.api<{ run_id: string }>("POST", "/agent/runs", {
      prompt: "x",
      title: "<script>alert(1)</script>",
    });
    const page = await server.fetch(`/runs/${run_id}`);
    const html = await page.text();
    expect(page.headers.get("content-security-policy")).toContain("script-src 'self'");
    expect(html).toContain("&lt;script&gt;");
    expect(html).not.toContain("<script>");
    expect(html).toContain(`millrace runs logs ${run_id}`);
    expect((await server.fetch("/runs/nobody")).status).toBe(404);
  });

  test("what an outsider has made is never shown as a page", async () => {
    const server = shared();
    const data = Buffer.from("<script>alert(1)</script>").toString("base64");
    const { run_id } = await server.api<{ run_id: string }>("POST", "/agent/runs", {
      prompt: "x",
      attachments: [{ file_name: "a.html", mime_type: "text/html", data }],
    });
    const answer = await server.fetch(`/api/v1/agent/runs/${run_id}/attachments/a.html`, {
      headers: { authorization: "Bearer test-admin-key-0123456789" },
    });
    expect(answer.headers.get("content-security-policy")).toContain("sandbox");
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
  });
});
