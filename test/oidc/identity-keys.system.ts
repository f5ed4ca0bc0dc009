import { createLocalJWKSet, jwtVerify } from "jose";
import { describe, expect, test } from "vitest";
import { createIdentityKeys } from "../../src/oidc/identity-keys.ts";
import { createRunTokens } from "../../src/oidc/run-tokens.ts";
import { createSealer, KEY_BYTES } from "../../src/secrets/seal.ts";
import { DAY_MS, MINUTE_MS } from "../../src/time/duration.ts";
import { AT, aStore } from "../given/store.ts";

const ISSUER = "https://millrace.example.com";
const CLAIMS = { sub: "factory:acme:agent:boss", agent: "boss", run: "r", turn: 1, source: "API" };

/** Keys in a store, at a time that a test sets; more servers can share the store. */
async function stage() {
  const store = await aStore();
  let at = Date.parse(AT);
  const now = () => new Date(at);
  const server = (masterKey = 1) => {
    const sealer = createSealer(Buffer.alloc(KEY_BYTES, masterKey));
    const keys = createIdentityKeys({ store: store.signingKeys, sealer, now });
    const tokens = createRunTokens({ keys, publicUrl: ISSUER, now });
    return { keys, token: async () => (await tokens.issue(CLAIMS, "vault")).token };
  };
  const one = server();
  return {
    store,
    server,
    ...one,
    kids: async () => (await one.keys.published()).map(({ kid }) => kid),
    /** Rejects what a service would not accept at this time. */
    verify: async (token: string, keys = one.keys) =>
      (
        await jwtVerify(token, createLocalJWKSet({ keys: await keys.published() }), {
          issuer: ISSUER,
          audience: "vault",
          currentDate: now(),
        })
      ).protectedHeader.kid,
    async later(ms: number) {
      at += ms;
      // As the leader does every ten minutes.
      await one.keys.rotate();
    },
  };
}

describe("the key that signs the identity tokens of runs", () => {
  test("is made once, also if several servers need it at the same time", async () => {
    const { server, kids, verify } = await stage();
    const tokens = await Promise.all([server(), server(), server()].map(({ token }) => token()));
    expect(await kids()).toHaveLength(1);
    for (const token of tokens) expect(await verify(token)).toBe((await kids())[0]);
  });

  test("is replaced after 90 days by one that was published a day before", async () => {
    const { token, kids, verify, later } = await stage();
    const first = await verify(await token());
    await later(89 * DAY_MS - MINUTE_MS);
    expect(await kids()).toEqual([first]);
    await later(2 * MINUTE_MS);
    const [, next] = await kids();
    expect(next).toBeDefined();
    expect(await verify(await token())).toBe(first);
    await later(DAY_MS);
    expect(await verify(await token())).toBe(next);
    expect(await kids()).toEqual([first, next]);
  });

  test("is published until what it has signed has expired, and no longer", async () => {
    const { token, kids, verify, later } = await stage();
    await token();
    await later(89 * DAY_MS);
    await later(DAY_MS - 1_000);
    const last = await token();
    const first = await verify(last);
    await later(9 * MINUTE_MS);
    expect(await verify(last)).toBe(first);
    await later(2 * MINUTE_MS);
    await expect(verify(last)).rejects.toThrow(/exp/);
    expect(await kids()).toContain(first);
    await later(5 * MINUTE_MS);
    expect(await kids()).not.toContain(first);
    expect(await kids()).toHaveLength(1);
  });

  test("is published a day before it signs as well, if no server ran when it was time", async () => {
    const { token, kids, verify, later } = await stage();
    const first = await verify(await token());
    await later(200 * DAY_MS);
    expect(await kids()).toHaveLength(2);
    expect(await verify(await token())).toBe(first);
    await later(DAY_MS);
    expect(await verify(await token())).not.toBe(first);
  });

  test("is replaced immediately when asked to, and the earlier ones are good until what they signed has expired", async () => {
    const { keys, token, kids, verify } = await stage();
    const before = await token();
    const id = await keys.replace(false);
    expect(await verify(await token())).toBe(id);
    expect(await verify(before)).not.toBe(id);
    expect(await kids()).toHaveLength(2);
  });

  test("ends the trust in all that earlier ones have signed when they are revoked", async () => {
    const { keys, token, kids, verify, later } = await stage();
    await token();
    // The next one is published already.
    await later(89 * DAY_MS);
    const before = await token();
    const id = await keys.replace(true);
    expect(await kids()).toEqual([id]);
    await expect(verify(before)).rejects.toThrow(/no applicable key/);
    expect(await verify(await token())).toBe(id);
  });

  test("is replaced if the master key is another one, and what it has signed stays good", async () => {
    const { server, token, verify } = await stage();
    const before = await token();
    const first = await verify(before);
    const { keys, token: newToken } = server(2);
    expect(await verify(await newToken(), keys)).not.toBe(first);
    expect(await verify(before, keys)).toBe(first);
    expect(await keys.published()).toHaveLength(2);
  });

  test("is in the store without its private half, which only the master key opens", async () => {
    const { store, keys, token } = await stage();
    await token();
    const [key] = await store.signingKeys.list();
    expect(Object.keys(key?.publicKey ?? {}).sort()).toEqual(["alg", "e", "kid", "kty", "n", "use"]);
    expect(Buffer.from(key?.sealed ?? []).toString("latin1")).not.toContain("PRIVATE KEY");
    expect(await keys.published()).toEqual([key?.publicKey]);
    const other = createSealer(Buffer.alloc(KEY_BYTES, 2));
    expect(() => other.open(key?.sealed ?? Buffer.alloc(0), `identity-key:${key?.id}`)).toThrow();
  });
});
