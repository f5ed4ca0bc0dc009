import { createPublicKey, type JsonWebKey } from "node:crypto";
import { createRemoteJWKSet, type JWTVerifyOptions, jwtVerify } from "jose";
import jsonwebtoken from "jsonwebtoken";
import { reportingAgent } from "./agent.ts";
import { freePort } from "./port.ts";

/** Who the tokens of these tests are for. */
export const AUDIENCE = "vault.example.com";

/** A run at work on a server that issues tokens, and services that check them. */
export async function agentWithIdentity({ env = {}, ...options }: Parameters<typeof reportingAgent>[0] = {}) {
  const listen = `127.0.0.1:${await freePort()}`;
  const issuer = `http://${listen}`;
  const agent = await reportingAgent({
    ...options,
    env: { MILLRACE_LISTEN: listen, MILLRACE_PUBLIC_URL: issuer, ...env },
  });
  const keys = remoteKeys(issuer);
  return {
    ...agent,
    issuer,
    ask: (audience: unknown = AUDIENCE, more: { key?: string; run?: string } = {}) =>
      agent.call("POST", "oidc-token", { body: { audience }, ...more }),
    /** As a service that uses jose checks a token. */
    verify: (token: string, more: JWTVerifyOptions = {}) =>
      jwtVerify(token, keys, { issuer, audience: AUDIENCE, algorithms: ["RS256"], ...more }),
    /** As one that uses jsonwebtoken does, which has code of its own for all of it. */
    verifyOtherwise: (token: string) => verifyOtherwise(token, issuer),
  };
}

/** The keys that the issuer publishes, found as a service finds them. */
export const remoteKeys = (issuer: string) =>
  createRemoteJWKSet(new URL(`${issuer}/.well-known/jwks.json`), { cooldownDuration: 0 });

async function verifyOtherwise(token: string, issuer: string): Promise<jsonwebtoken.JwtPayload> {
  const found = await fetch(`${issuer}/.well-known/openid-configuration`);
  const { jwks_uri } = (await found.json()) as { jwks_uri: string };
  const { keys } = (await (await fetch(jwks_uri)).json()) as { keys: ({ kid: string } & JsonWebKey)[] };
  const kid = jsonwebtoken.decode(token, { complete: true })?.header.kid;
  const jwk = keys.find((key) => key.kid === kid);
  if (!jwk) throw new Error(`no key is called ${kid}`);
  const pem = createPublicKey({ key: jwk, format: "jwk" }).export({ type: "spki", format: "pem" });
  const verified = jsonwebtoken.verify(token, pem, { algorithms: ["RS256"], issuer, audience: AUDIENCE });
  return verified as jsonwebtoken.JwtPayload;
}
