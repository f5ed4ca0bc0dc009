import { ALGORITHM } from "../../oidc/identity-keys.ts";
import type { RunClaims } from "../../oidc/run-claims.ts";

/** Below the issuer. */
export const KEYS_PATH = "/.well-known/jwks.json";

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
export function discoveryDocument(issuer: string): object {
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
