import { createHmac, createPublicKey, generateKeyPairSync, type JsonWebKey } from "node:crypto";
import { decodeJwt, SignJWT } from "jose";
import { describe, expect, test } from "vitest";
import { reportingAgent } from "../../given/agent.ts";
import { ask } from "../../given/ask.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { automationWith, TOKEN_WEBHOOK, withFactoryLines } from "../../given/definition.ts";
import { AUDIENCE, agentWithIdentity } from "../../given/identity.ts";
import { ADMIN_KEY, waitFor } from "../../given/server.ts";

const stage = sharedByFile(() => agentWithIdentity());

describe("the agent of a run gets a token", () => {
  test("that services accept which check it with jose or with jsonwebtoken", async () => {
    const { ask, id, issuer, verify, verifyOtherwise } = stage();
    const { status, body } = await ask();
    expect(status).toBe(200);
    const { payload, protectedHeader } = await verify(body.token);
    expect(protectedHeader).toMatchObject({ alg: "RS256", typ: "JWT" });
    expect(payload).toMatchObject({
      ...{ iss: issuer, aud: AUDIENCE, sub: "factory:acme:agent:boss", run: id, turn: 1 },
      ...{ factory: "acme", agent: "boss", source: "API" },
    });
    const { iat = 0, nbf, exp = 0, jti } = payload;
    expect([nbf, exp - iat]).toEqual([iat, 600]);
    expect(Date.parse(body.expires_at)).toBe(exp * 1_000);
    expect(jti).toMatch(/^[0-9a-f-]{36}$/);
    expect(await verifyOtherwise(body.token)).toEqual(payload);
    expect(decodeJwt((await ask()).body.token).jti).not.toBe(jti);
  });

  test("that is good for its audience alone, and not for long", async () => {
    const { ask, verify, verifyOtherwise } = stage();
    const other = (await ask("sts.amazonaws.com")).body.token;
    await expect(verify(other)).rejects.toThrow(/"aud"/);
    await expect(verifyOtherwise(other)).rejects.toThrow(/audience/);
    const { token, expires_at } = (await ask()).body;
    const since = (ms: number) => ({ currentDate: new Date(Date.parse(expires_at) + ms) });
    await verify(token, since(-1_000));
    await expect(verify(token, since(1_000))).rejects.toThrow(/"exp"/);
  });

  test("for any printable audience, and for no other", async () => {
    const { ask } = stage();
    for (const audience of ["a", "a".repeat(200), "api://AzureADTokenExchange", "a service"])
      expect(decodeJwt((await ask(audience)).body.token).aud).toBe(audience);
    for (const audience of ["", "a".repeat(201), "a\nb", "é", "\u0000", 7, ["a"], null])
      expect((await ask(audience)).body).toMatchObject({ status: 400 });
  });

  test("that its timeline notes once for each audience, and the audit log each time without its value", async () => {
    const { ask: askFor, id, server, story } = stage();
    const { token } = (await askFor("noted.example.com")).body;
    await askFor("noted.example.com");
    const events = await story.timeline(id);
    const noted = events.filter(({ event_type }) => event_type === "identity_token_issued");
    expect(noted.filter(({ payload }) => payload?.audience === "noted.example.com")).toHaveLength(1);
    const { body } = await ask(server, "GET", "/audit-log?action=createIdentityToken&limit=500");
    const text = JSON.stringify(body);
    expect(text.split(`${id} noted.example.com`)).toHaveLength(3);
    expect(text + server.log() + JSON.stringify(events)).not.toContain(token.split(".")[2]);
  });
});

describe("no token is for", () => {
  test("someone who is not the agent of the run", async () => {
    const { ask: askFor, id, server, start } = stage();
    const another = await start();
    expect((await askFor(AUDIENCE, { run: another })).status).toBe(404);
    expect((await askFor(AUDIENCE, { key: ADMIN_KEY })).body).toMatchObject({ status: 403 });
    const path = `/agent/runs/${id}/oidc-token`;
    expect((await ask(server, "POST", path, { key: "", body: { audience: AUDIENCE } })).status).toBe(401);
  });

  test("who has an identity token instead of a key: it opens nothing on the server that issued it", async () => {
    const { ask: askFor, issuer, id, server } = stage();
    for (const audience of [AUDIENCE, issuer, `${issuer}/api/v1`]) {
      const { token } = (await askFor(audience)).body;
      expect((await askFor(AUDIENCE, { key: token })).status).toBe(401);
      for (const path of ["/whoami", "/agent/runs", `/agent/runs/${id}`, "/factories", "/workers"])
        expect((await ask(server, "GET", path, { key: token })).status).toBe(401);
      const body = { prompt: "Do it.", factory: "acme" };
      expect((await ask(server, "POST", "/agent/runs", { key: token, body })).status).toBe(401);
    }
  });

  test("a run that has ended", async () => {
    const { ask: askFor, end, id, story } = await agentWithIdentity();
    expect((await askFor()).status).toBe(200);
    end(0);
    await story.ended(id);
    expect((await askFor()).status).toBe(401);
  });

  test("a run whose end was requested, while its agent refuses to end", async () => {
    const {
      ask: askFor,
      id,
      server,
    } = await agentWithIdentity({ program: 'process.on("SIGTERM", () => {});' });
    await server.api("POST", `/agent/runs/${id}/cancel`);
    expect((await askFor()).body).toMatchObject({
      status: 409,
      detail: expect.stringContaining("not running"),
    });
  });

  test("a server without a public URL, which says what to set", async () => {
    const { call, server } = await reportingAgent();
    const { body } = await call("POST", "oidc-token", { body: { audience: AUDIENCE } });
    expect(body).toMatchObject({ status: 422, detail: expect.stringContaining("public URL is not set") });
    expect(JSON.stringify(body)).toContain("MILLRACE_PUBLIC_URL");
    for (const path of ["openid-configuration", "jwks.json"]) {
      const answer = await server.fetch(`/.well-known/${path}`);
      expect([answer.status, await answer.text()]).toEqual([
        422,
        expect.stringContaining("MILLRACE_PUBLIC_URL"),
      ]);
    }
  });

  test("an audience that its automation, its agent or its factory does not list", async () => {
    const listing = (audience: string) => `identity: { audiences: [${audience}] }`;
    const {
      ask: askFor,
      start,
      story,
      tokenOf,
    } = await agentWithIdentity({
      files: {
        ...withFactoryLines(`millrace: { repositories: optional, ${listing("of-factory")} }\n`),
        "agents/other/agent.md": `---\nagentType: CUSTOM\nmillrace: { ${listing("of-agent")} }\n---\nWork.\n`,
        "webhooks/ci.yaml": TOKEN_WEBHOOK,
        "automations/due/automation.md": automationWith(
          `agent: other\nmillrace: { ${listing("of-automation")} }\ntriggers: [{ provider: webhook, event: received, millrace: { webhooks: [ci] } }]`,
        ),
      },
      secrets: { CI_SECRET: "the-token" },
      env: { MILLRACE_RUN_CONCURRENCY: "4" },
    });
    const statuses = async (run?: string) => {
      const more = run === undefined ? {} : { run, key: await tokenOf(run) };
      const each = ["of-factory", "of-agent", "of-automation"].map((audience) => askFor(audience, more));
      return (await Promise.all(each)).map(({ status }) => status);
    };
    expect(await statuses()).toEqual([200, 403, 403]);
    expect(await statuses(await start({ agent: "other" }))).toEqual([403, 200, 403]);
    const { url } = await story.webhook("ci");
    await story.accept(url, "the-token", "{}");
    const run = await waitFor(async () => (await story.runs()).find(({ automation_id }) => automation_id));
    expect(await statuses(run.run_id)).toEqual([403, 403, 200]);
    const { body } = await askFor("of-automation", { run: run.run_id, key: await tokenOf(run.run_id) });
    expect(decodeJwt(body.token)).toMatchObject({
      ...{ sub: "factory:acme:automation:due", agent: "other", automation: "due" },
      ...{ source: "CUSTOM_WEBHOOK", automation_uid: run.automation_id },
    });
  });

  test("more audiences than a person can read in the timeline", async () => {
    const { ask } = await agentWithIdentity();
    for (let n = 1; n <= 50; n += 1) expect((await ask(`service-${n}`)).status).toBe(200);
    expect((await ask("service-51")).body).toMatchObject({ status: 400 });
    expect((await ask("service-50")).status).toBe(200);
  });
});

describe("a service that checks tokens refuses", () => {
  /** The claims of a good token, and the public key that it is checked with. */
  async function forging() {
    const { ask, issuer, ...checks } = stage();
    const { token } = (await ask()).body;
    const [header = "", payload = "", signature = ""] = token.split(".");
    const { keys } = (await (await fetch(`${issuer}/.well-known/jwks.json`)).json()) as {
      keys: ({ kid: string } & JsonWebKey)[];
    };
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    return { ...checks, header, payload, signature, key: keys[0], encode };
  }

  test("one whose claims were changed", async () => {
    const { verify, verifyOtherwise, header, payload, signature, encode } = await forging();
    const claims = JSON.parse(Buffer.from(payload, "base64url").toString());
    const forged = [header, encode({ ...claims, sub: "factory:acme:automation:deploy" }), signature].join(
      ".",
    );
    await expect(verify(forged)).rejects.toThrow(/signature/);
    await expect(verifyOtherwise(forged)).rejects.toThrow(/signature/);
  });

  test.each(["HS256", "none"])("one that was made with the public key or without one: %s", async (alg) => {
    const { verify, verifyOtherwise, payload, key, encode } = await forging();
    const signed = `${encode({ alg, kid: key?.kid })}.${payload}`;
    const pem = createPublicKey({ key: key ?? {}, format: "jwk" }).export({ type: "spki", format: "pem" });
    const code = alg === "none" ? "" : createHmac("sha256", pem).update(signed).digest("base64url");
    await expect(verify(`${signed}.${code}`)).rejects.toThrow();
    // One that does not say which algorithms it takes is told by the key.
    await expect(verify(`${signed}.${code}`, { algorithms: ["RS256", "HS256"] })).rejects.toThrow();
    await expect(verifyOtherwise(`${signed}.${code}`)).rejects.toThrow();
  });

  test("one that another key has signed under the same name", async () => {
    const { verify, verifyOtherwise, payload, key } = await forging();
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
    const claims = JSON.parse(Buffer.from(payload, "base64url").toString());
    const forged = await new SignJWT(claims)
      .setProtectedHeader({ alg: "RS256", kid: key?.kid ?? "" })
      .sign(privateKey);
    await expect(verify(forged)).rejects.toThrow(/signature/);
    await expect(verifyOtherwise(forged)).rejects.toThrow(/signature/);
  });
});

test("keys are replaced while tokens are issued and checked, and no check fails", async () => {
  const { ask: askFor, server, verify } = await agentWithIdentity();
  const kids = new Set<unknown>();
  const working = Array.from({ length: 4 }, async () => {
    for (let n = 0; n < 10; n += 1) {
      const { token } = (await askFor()).body;
      kids.add((await verify(token)).protectedHeader.kid);
    }
  });
  for (let n = 0; n < 3; n += 1)
    expect((await ask(server, "POST", "/identity-keys", { body: {} })).status).toBe(201);
  await Promise.all(working);
  const { token: before } = (await askFor()).body;
  await verify(before);
  const { body } = await ask(server, "POST", "/identity-keys", { body: { revoke: true } });
  const { token } = (await askFor()).body;
  expect((await verify(token)).protectedHeader.kid).toBe(body.key_id);
  expect(kids.size).toBeGreaterThanOrEqual(1);
});
