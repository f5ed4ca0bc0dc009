import { describe, expect, onTestFinished, test, vi } from "vitest";
import { Millrace } from "../../src/client/client.ts";
import { ok, scriptedServer } from "../given/scripted-server.ts";

describe("a request", () => {
  test("carries the key, and headers of the client and of the call", async () => {
    const { url, received } = await scriptedServer(ok({}));
    const client = new Millrace({
      baseUrl: `${url}/`,
      apiKey: "k",
      defaultHeaders: { "x-a": "1", "x-b": "1" },
    });
    await client.runs.get("r", {}, { headers: { "X-B": "2" } });
    expect(received[0]).toMatchObject({
      method: "GET",
      url: "/api/v1/agent/runs/r",
      headers: { authorization: "Bearer k", accept: "application/json", "x-a": "1", "x-b": "2" },
      body: "",
    });
    expect(received[0]?.headers["content-type"]).toBeUndefined();
  });

  test("goes to the server of the environment by default", async () => {
    const { url, received } = await scriptedServer(ok({}));
    vi.stubEnv("MILLRACE_SERVER", url);
    vi.stubEnv("MILLRACE_API_KEY", "from-environment");
    onTestFinished(() => void vi.unstubAllEnvs());
    await new Millrace().runs.get("r");
    await new Millrace({ apiKey: "given" }).runs.get("r");
    expect(received.map(({ headers }) => headers.authorization)).toEqual([
      "Bearer from-environment",
      "Bearer given",
    ]);
  });

  test("may be one that the client has no method for", async () => {
    const { url, received } = await scriptedServer(
      ok([1]),
      { status: 204 },
      {
        headers: { "content-type": "text/plain" },
        body: "text",
      },
    );
    const client = new Millrace({ baseUrl: url });
    const query = { state: ["A", "B"], limit: 5, metadata: { k: "v w" }, gone: undefined };
    expect(await client.request<number[]>("PATCH", "/x/y", { query, body: { a: 1 } })).toEqual([1]);
    expect(await client.request("delete", "/x")).toBeUndefined();
    expect(await client.request("GET", "/x")).toBe("text");
    const wanted = "/api/v1/x/y?state=A&state=B&limit=5&metadata%5Bk%5D=v+w";
    expect(received.map(({ method, url, body }) => `${method} ${url} ${body}`.trim())).toEqual([
      `PATCH ${wanted} {"a":1}`,
      "DELETE /api/v1/x",
      "GET /api/v1/x",
    ]);
    expect(received[0]?.headers["content-type"]).toBe("application/json");
  });

  test("cancels a run, sends it a message, and reads its events", async () => {
    const told = { followup_id: null, outcome: "queued_prompt" };
    const { url, received } = await scriptedServer(
      ok("r"),
      ok(told),
      ok({ events: [], page_info: { has_next_page: false } }),
    );
    const { runs } = new Millrace({ baseUrl: url });
    expect(await runs.cancel("r")).toBe("r");
    expect(await runs.followup("r", { message: "Go on." })).toEqual(told);
    expect(await runs.timeline("r").toArray()).toEqual([]);
    expect(received.map(({ method, url, body }) => `${method} ${url} ${body}`.trim())).toEqual([
      "POST /api/v1/agent/runs/r/cancel",
      'POST /api/v1/agent/runs/r/followups {"message":"Go on."}',
      "GET /api/v1/agent/runs/r/timeline",
    ]);
  });

  test("is made by the fetch that is given", async () => {
    const asked: string[] = [];
    const client = new Millrace({
      baseUrl: "http://millrace.test",
      fetch: async (request) => {
        asked.push(request.url);
        return Response.json({ run_id: "r" });
      },
    });
    expect(await client.runs.get("r")).toEqual({ run_id: "r" });
    expect(asked).toEqual(["http://millrace.test/api/v1/agent/runs/r"]);
  });
});

describe("an answer can be had", () => {
  const answer = { headers: { "content-type": "application/json", "x-more": "yes" }, body: '{"run_id":"r"}' };

  test("with its data, by itself, and both from one request", async () => {
    const { url, received } = await scriptedServer(answer);
    const asked = new Millrace({ baseUrl: url }).runs.get("r");
    const { data, response } = await asked.withResponse();
    expect([data, response.status, response.headers.get("x-more")]).toEqual([{ run_id: "r" }, 200, "yes"]);
    expect(await asked).toBe(data);
    expect(received).toHaveLength(1);
    const raw = await new Millrace({ baseUrl: url }).runs.get("r").asResponse();
    expect(await raw.text()).toBe('{"run_id":"r"}');
  });

  test("as a stream, when it is not a document", async () => {
    const { url } = await scriptedServer((response) => {
      response.writeHead(200, { "content-type": "text/plain" });
      response.write("first");
    });
    const { body } = await new Millrace({ baseUrl: url }).runs.transcript("r").asResponse();
    const { value } = (await body?.getReader().read()) ?? {};
    expect(new TextDecoder().decode(value)).toBe("first");
  });

  test("as a promise of the platform is", async () => {
    const { url } = await scriptedServer(answer);
    const client = new Millrace({ baseUrl: url });
    const ended: string[] = [];
    const asked = client.runs.get("r").finally(() => ended.push("ended"));
    expect(await Promise.all([asked, client.runs.get("r")])).toEqual([{ run_id: "r" }, { run_id: "r" }]);
    expect(ended).toEqual(["ended"]);
  });
});
