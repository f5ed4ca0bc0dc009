import { describe, expect, test } from "vitest";
import { acmeServer, ask, makeKey } from "../../given/ask.ts";
import { callWith, cookieOf, OWN_PAGE, signIn } from "../../given/browser-session.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { storedText } from "../../given/filled-store.ts";
import { freePort } from "../../given/port.ts";
import { ADMIN_KEY, waitFor } from "../../given/server.ts";
import { storeOf } from "../../given/store.ts";

const shared = sharedByFile(() => acmeServer({ env: { MILLRACE_LOG_LEVEL: "trace" } }));

describe("signing in", () => {
  test("with a key sets a cookie that scripts cannot read, and that speaks for the key", async () => {
    const server = shared();
    const { key } = await makeKey(server, { name: "ann", role: "operator" });
    const answer = await signIn(server, key);
    expect(answer.status).toBe(201);
    expect(await answer.json()).toEqual({ expires_at: expect.any(String) });
    const cookie = answer.headers.get("set-cookie") ?? "";
    expect(cookie).toMatch(
      /^millrace_session=[A-Za-z0-9]{43}; Path=\/; Expires=.*; HttpOnly; SameSite=Strict$/,
    );
    const who = await (await callWith(server, cookieOf(answer))).json();
    expect(who).toMatchObject({ key_name: "ann", role: "operator", factories: null });
  });

  test("under an https URL the cookie is for this host over https alone", async () => {
    const port = await freePort();
    const server = await acmeServer({
      env: { MILLRACE_PUBLIC_URL: "https://mill.example.com", MILLRACE_LISTEN: `127.0.0.1:${port}` },
      reachedAt: `http://127.0.0.1:${port}`,
    });
    const answer = await signIn(server, ADMIN_KEY);
    expect(answer.headers.get("set-cookie")).toMatch(/^__Host-millrace_session=.*; HttpOnly; Secure; /);
    expect((await callWith(server, cookieOf(answer))).status).toBe(200);
  });

  test("with a wrong key is refused, and counts as a failed key", async () => {
    const server = await acmeServer({ env: { MILLRACE_FAILED_AUTH_PER_MINUTE: "2" } });
    const statuses = [];
    for (let n = 0; n < 3; n += 1) statuses.push((await signIn(server, `mr_wrong${n}`)).status);
    expect(statuses).toEqual([401, 401, 429]);
    expect((await ask(server, "GET", "/whoami", { key: "mr_wrong" })).status).toBe(429);
    expect((await signIn(server, ADMIN_KEY)).status).toBe(201);
  });

  test.each([["[]"], ["{}"], ['{"api_key":1}'], ["nonsense"], [""]])(
    "with %s says what is missing",
    async (body) => {
      const answer = await shared().fetch("/session", { method: "POST", body });
      expect(answer.status).toBe(400);
      expect(answer.headers.get("content-type")).toContain("application/problem+json");
    },
  );

  test("again ends the session before", async () => {
    const server = shared();
    const first = cookieOf(await signIn(server, ADMIN_KEY));
    const again = await signIn(server, ADMIN_KEY, { "sec-fetch-site": "same-origin", cookie: first });
    expect((await callWith(server, first)).status).toBe(401);
    expect((await callWith(server, cookieOf(again))).status).toBe(200);
  });
});

describe("a session ends", () => {
  test("when someone signs out", async () => {
    const server = shared();
    const cookie = cookieOf(await signIn(server, ADMIN_KEY));
    // What a program says that has taken the cookie, or a browser that is too old to name the page.
    expect((await server.fetch("/session", { method: "DELETE", headers: { cookie } })).status).toBe(403);
    expect((await callWith(server, cookie)).status).toBe(200);
    const headers = { cookie, "sec-fetch-site": "same-origin" };
    const out = await server.fetch("/session", { method: "DELETE", headers });
    expect([out.status, cookieOf(out)]).toEqual([204, "millrace_session="]);
    const after = await callWith(server, cookie);
    expect(after.status).toBe(401);
    expect(await after.json()).toMatchObject({ detail: "The session has ended.", remedy: "Sign in again." });
    expect((await server.fetch("/session", { method: "DELETE" })).status).toBe(204);
  });

  test("with its key, streams that it has opened too", async () => {
    const server = shared();
    const { id, key } = await makeKey(server, { name: "leaver" });
    const cookie = cookieOf(await signIn(server, key));
    const stream = await callWith(server, cookie, "/events");
    expect(stream.status).toBe(200);
    await server.api("DELETE", `/api-keys/${id}`);
    expect((await callWith(server, cookie)).status).toBe(401);
    // Ends only when the server ends it.
    await stream.text();
  });

  test("when it was idle for too long, and at the end of its lifetime however much it is used", async () => {
    const idle = await acmeServer({ env: { MILLRACE_SESSION_IDLE_TIMEOUT: "300ms" } });
    const short = await acmeServer({ env: { MILLRACE_SESSION_LIFETIME: "500ms" } });
    const unused = cookieOf(await signIn(idle, ADMIN_KEY));
    const used = cookieOf(await signIn(short, ADMIN_KEY));
    await waitFor(async () => ((await callWith(short, used)).status === 401 ? true : undefined));
    expect((await callWith(idle, unused)).status).toBe(401);
  });

  test("when only an open page uses it, but not while a person is active", async () => {
    const server = await acmeServer({ env: { MILLRACE_SESSION_IDLE_TIMEOUT: "2s" } });
    const left = cookieOf(await signIn(server, ADMIN_KEY));
    const attended = cookieOf(await signIn(server, ADMIN_KEY));
    const touched = { headers: { ...OWN_PAGE, "millrace-activity": "person" } };
    let answered = 0;
    await waitFor(async () => {
      answered = (await callWith(server, attended, "/whoami", touched)).status;
      return (await callWith(server, left)).status === 401 || undefined;
    });
    expect(answered).toBe(200);
  });

  test("but not when the server restarts", async () => {
    const server = await acmeServer();
    const cookie = cookieOf(await signIn(server, ADMIN_KEY));
    await server.stop();
    const again = await acmeServer({ dataDir: server.dataDir });
    expect((await callWith(again, cookie)).status).toBe(200);
  });
});

describe("a page of another site", () => {
  const foreign: [Record<string, string>][] = [
    [{ "sec-fetch-site": "cross-site" }],
    [{ "sec-fetch-site": "same-site" }],
    [{ "sec-fetch-site": "none" }],
    [{ origin: "https://evil.example.com" }],
    [{ origin: "null" }],
  ];

  test.each([...foreign, [{}]])("that sends %j cannot have a signed-in browser write", async (headers) => {
    const server = shared();
    const cookie = cookieOf(await signIn(server, ADMIN_KEY));
    const options = { method: "PUT", body: { value: "x" }, headers };
    const answer = await callWith(server, cookie, "/secrets/FORGED", options);
    expect(answer.status).toBe(403);
    expect((await ask(server, "GET", "/secrets")).body.secrets).toEqual([]);
  });

  test.each(foreign)("that sends %j cannot sign a browser in or out", async (headers) => {
    const server = shared();
    expect((await signIn(server, ADMIN_KEY, headers)).status).toBe(403);
    const cookie = cookieOf(await signIn(server, ADMIN_KEY));
    const out = await server.fetch("/session", { method: "DELETE", headers: { cookie, ...headers } });
    expect(out.status).toBe(403);
    expect((await callWith(server, cookie)).status).toBe(200);
  });

  test("is distinguished from the server's own page by Origin where browsers send nothing better", async () => {
    const server = shared();
    const cookie = cookieOf(await signIn(server, ADMIN_KEY));
    const options = { method: "PUT", body: { value: "x" }, headers: { origin: server.url } };
    expect((await callWith(server, cookie, "/secrets/OWN", options)).status).toBe(200);
    await server.api("DELETE", "/secrets/OWN");
  });
});

test("a role is what the key has: a viewer who is signed in writes nothing", async () => {
  const server = shared();
  const { key } = await makeKey(server, { name: "looker", role: "viewer" });
  const cookie = cookieOf(await signIn(server, key));
  const options = { method: "PUT", body: { value: "x" } };
  expect((await callWith(server, cookie, "/secrets/NEVER", options)).status).toBe(403);
});

test("neither keys nor session ids are in the log, in the audit log or in the database", async () => {
  const server = shared();
  const { key } = await makeKey(server, { name: "quiet" });
  const cookie = cookieOf(await signIn(server, key));
  await callWith(server, cookie);
  const id = cookie.split("=")[1] ?? "";
  const { body } = await ask(server, "GET", "/audit-log?limit=5");
  expect(JSON.stringify(body)).toContain("signIn");
  const stored = await storedText((await storeOf(server)).connection);
  expect(stored).toContain("quiet");
  for (const text of [server.log(), JSON.stringify(body), stored]) {
    expect(text).not.toContain(key);
    expect(text).not.toContain(id);
  }
});
