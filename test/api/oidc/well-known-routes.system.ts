import { jwtVerify } from "jose";
import { expect, test } from "vitest";
import { sharedByFile } from "../../given/cleanup.ts";
import { AUDIENCE, agentWithIdentity, remoteKeys } from "../../given/identity.ts";
import { freePort } from "../../given/port.ts";
import { pathProxy } from "../../given/proxies.ts";
import { startServer } from "../../given/server.ts";

const stage = sharedByFile(() => agentWithIdentity());

test("services find the issuer and the public keys without a key, and may cache them", async () => {
  const { server, issuer } = stage();
  const found = await server.fetch("/.well-known/openid-configuration");
  expect([found.status, found.headers.get("cache-control")]).toEqual([200, "public, max-age=300"]);
  expect(await found.json()).toMatchObject({
    issuer,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    id_token_signing_alg_values_supported: ["RS256"],
    response_types_supported: ["id_token"],
    subject_types_supported: ["public"],
  });
  const keys = await server.fetch("/.well-known/jwks.json");
  expect([keys.status, keys.headers.get("cache-control")]).toEqual([200, "public, max-age=300"]);
  const text = await keys.text();
  expect(JSON.parse(text)).toEqual({
    keys: [
      { kty: "RSA", e: "AQAB", n: expect.any(String), kid: expect.any(String), alg: "RS256", use: "sig" },
    ],
  });
  expect((await server.fetch("/.well-known/jwks.json", { method: "POST" })).status).toBe(405);
});

test("below the path of a public URL, the issuer has that path too", async () => {
  const port = await freePort();
  const proxy = await pathProxy("/millrace", port);
  const { ask } = await agentWithIdentity({
    env: { MILLRACE_LISTEN: `127.0.0.1:${port}`, MILLRACE_PUBLIC_URL: proxy.url },
  });
  const { token } = (await ask()).body;
  const { payload } = await jwtVerify(token, remoteKeys(proxy.url), {
    issuer: proxy.url,
    audience: AUDIENCE,
  });
  expect(payload.iss).toBe(proxy.url);
  const found = await fetch(`${proxy.url}/.well-known/openid-configuration`);
  expect(await found.json()).toMatchObject({ issuer: proxy.url });
});

test("an address that asks too often without a key is refused for a minute", async () => {
  const listen = `127.0.0.1:${await freePort()}`;
  const env = { MILLRACE_LISTEN: listen, MILLRACE_PUBLIC_URL: `http://${listen}` };
  const server = await startServer({ sources: [], env });
  const statuses = [];
  for (let n = 0; n <= 60; n += 1)
    statuses.push((await server.fetch("/.well-known/openid-configuration")).status);
  expect(new Set(statuses.slice(0, 60))).toEqual(new Set([200]));
  const refused = await server.fetch("/.well-known/jwks.json");
  expect([refused.status, Number(refused.headers.get("retry-after")) > 0]).toEqual([429, true]);
});
