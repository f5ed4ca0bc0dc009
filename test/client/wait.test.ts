import { describe, expect, test } from "vitest";
import { Millrace, WaitTimeoutError } from "../../src/client/client.ts";
import { ok, refusal, scriptedServer, silence } from "../given/scripted-server.ts";

const inState = (state: string) => ok({ run_id: "r", state });

describe("the client waits for a run", () => {
  test.each(["SUCCEEDED", "FAILED", "ERROR", "CANCELLED", "BLOCKED"])("until it is %s", async (state) => {
    const { url, received } = await scriptedServer(inState("INPROGRESS"), inState(state));
    expect(await new Millrace({ baseUrl: url }).runs.wait("r")).toMatchObject({ state });
    expect(received.map(({ url }) => url)).toEqual(Array(2).fill("/api/v1/agent/runs/r?wait=30s"));
  });

  test("through passing failures of the server", async () => {
    const failures = Array(4).fill(refusal(503, "service_unavailable"));
    const { url, received } = await scriptedServer(...failures, inState("SUCCEEDED"));
    await new Millrace({ baseUrl: url, maxRetries: 0 }).runs.wait("r");
    expect(received).toHaveLength(5);
  });

  test("no longer than its timeout, and not after it is aborted", async () => {
    const { url } = await scriptedServer(silence);
    const { runs } = new Millrace({ baseUrl: url });
    const waited = runs.wait("r", { timeoutMs: 50 });
    await expect(waited).rejects.toThrow(new WaitTimeoutError("Run r has not ended after 50 ms."));
    const abort = new AbortController();
    const unwanted = runs.wait("r", { signal: abort.signal });
    abort.abort();
    await expect(unwanted).rejects.toThrow(expect.objectContaining({ name: "AbortError" }));
  });

  test("for longer than other answers may take", async () => {
    const { url } = await scriptedServer((response) => {
      const body = JSON.stringify({ run_id: "r", state: "SUCCEEDED" });
      setTimeout(() => response.writeHead(200, { "content-type": "application/json" }).end(body), 300);
    });
    const client = new Millrace({ baseUrl: url, timeoutMs: 100, maxRetries: 0 });
    expect(await client.runs.get("r", { wait: "10s" })).toMatchObject({ state: "SUCCEEDED" });
  });
});
