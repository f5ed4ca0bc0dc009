import type { Request, Response, Router } from "express";
import { ALGORITHM, type IdentityKeys, KEYS_CACHED_MS } from "../../oidc/identity-keys.ts";
import type { RunClaims } from "../../oidc/run-claims.ts";
import type { RunTokens } from "../../oidc/run-tokens.ts";
import type { AnonymousLimit } from "../http/caller-limits.ts";
import { refuseMethod } from "../http/respond.ts";

export interface WellKnownDeps {
  identityKeys: Pick<IdentityKeys, "published">;
  runTokens: Pick<RunTokens, "issuer">;
  anonymousLimit: AnonymousLimit;
}

const CACHING = `public, max-age=${KEYS_CACHED_MS / 1_000}`;

/**
 * What services read to check the tokens of runs (https://openid.net/specs/openid-connect-discovery-1_0.html): who issues them,
 * and the public keys. Anybody may ask.
 */
export function wellKnownRoutes(
  router: Router,
  { identityKeys, runTokens, anonymousLimit }: WellKnownDeps,
): void {
  const documents = {
    "/.well-known/openid-configuration": async (issuer: string) => discoveryDocument(issuer),
    [KEYS_PATH]: async () => ({ keys: await identityKeys.published() }),
  };
  for (const [path, document] of Object.entries(documents)) {
    router
      .route(path)
      .get(async (request: Request, response: Response) => {
        anonymousLimit.admit(request);
        const json = await document(runTokens.issuer());
        response.setHeader("cache-control", CACHING).json(json);
      })
      .all(refuseMethod(["GET"]));
  }
}

/** Below the issuer. */
const KEYS_PATH = "/.well-known/jwks.json";

const CLAIMS: readonly (keyof RunClaims)[] = [
  "sub",
  "factory",
  "factory_uid",
  "automation",
  "automation_uid",
  "agent",
  "run",
  "turn",
  "repository",
  "commit",
  "event",
  "source",
];

/** As GitHub Actions publishes it: nobody signs in here, so there is no endpoint for that. */
function discoveryDocument(issuer: string): object {
  return {
    issuer,
    jwks_uri: issuer + KEYS_PATH,
    response_types_supported: ["id_token"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: [ALGORITHM],
    scopes_supported: ["openid"],
    claims_supported: ["iss", "aud", "iat", "nbf", "exp", "jti", ...CLAIMS],
  };
}
