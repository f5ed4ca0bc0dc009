import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import express from "express";
import { describe, expect, onTestFinished, test } from "vitest";
import { authenticateCaller, isStillAdmitted } from "../../../src/api/http/authorize.ts";
import { createAuthLimit } from "../../../src/api/http/caller-limits.ts";
import { MillraceError } from "../../../src/errors/error.ts";
import { createKeys } from "../../../src/principals/keys.ts";
import { createSessions } from "../../../src/principals/session.ts";
import { createRunMasks } from "../../../src/runs/output/run-masks.ts";
import { aStore } from "../../given/store.ts";

const MINUTE = 60_000;
const TIMES = { sessionIdleTimeout: 60 * MINUTE, sessionLifetime: 24 * 60 * MINUTE };

/** What says who calls, over HTTP, with a clock that stands until it is moved. */
async function whoCalls() {
  const { keys: keyStore, sessions: sessionStore, runs } = await aStore();
  let at = Date.parse("2026-03-01T12:00:00Z");
  const now = () => new Date(at);
  const keys = createKeys({ store: keyStore, now });
  const sessions = createSessions({ store: sessionStore, keys, now, ...TIMES });
  const authLimit = createAuthLimit({ failedAuthPerMinute: 1_000, trustProxy: [] });
  const parts = { keys, sessions, runs, masks: createRunMasks(), authLimit, publicUrl: () => "http://here" };
  const app = express();
  app.get("/", async (request, response) => {
    try {
      const caller = await authenticateCaller(request, parts);
      response.json(caller.kind === "key" ? caller.key.name : caller.kind);
    } catch (error) {
      response.json(error instanceof MillraceError ? error.code : "broken");
    }
  });
  // What an open stream asks now and then of the request that has opened it.
  app.get("/stream", async (request, response) => {
    const caller = { kind: "key" as const, key: signedIn.key };
    response.json((await isStillAdmitted(caller, request, parts)) ? "admitted" : "ended");
  });
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const make = (name: string) => keys.create({ name, kind: "personal", role: "viewer", factories: null });
  const signedIn = await make("signed-in");
  const { id } = await sessions.begin(signedIn.key);
  return {
    sent: await make("sent"),
    cookie: { cookie: `millrace_session=${id}` },
    async get(headers: Record<string, string>, path = "/") {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
      return (await answer.json()) as string;
    },
    pass(ms: number) {
      at += ms;
    },
  };
}

describe("a stream that is open", () => {
  test("does not keep a session alive, though it is checked all the time", async () => {
    const { cookie, get, pass } = await whoCalls();
    for (let n = 0; n < 59; n += 1) {
      pass(MINUTE);
      expect(await get(cookie, "/stream")).toBe("admitted");
    }
    pass(MINUTE);
    expect([await get(cookie, "/stream"), await get(cookie)]).toEqual(["ended", "authentication_required"]);
  });

  test("belongs to the key that was sent, and does not end with the session that was sent with it", async () => {
    const { sent, cookie, get, pass } = await whoCalls();
    const both = { ...cookie, authorization: `Bearer ${sent.value}` };
    pass(60 * MINUTE);
    expect([await get(cookie, "/stream"), await get(both, "/stream")]).toEqual(["ended", "admitted"]);
  });
});

describe("a request with a key and a session", () => {
  test("is authenticated by the key alone, whether the key is right or wrong", async () => {
    const { sent, cookie, get } = await whoCalls();
    expect(await get(cookie)).toBe("signed-in");
    expect(await get({ ...cookie, authorization: `Bearer ${sent.value}` })).toBe("sent");
    for (const authorization of ["Bearer mr_wrong", "Bearer mrt_wrong", "Basic eDp5", "nonsense"])
      expect(await get({ ...cookie, authorization })).toBe("authentication_required");
  });
});
