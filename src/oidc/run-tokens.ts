import { SignJWT } from "jose";
import { MillraceError } from "../errors/error.ts";
import { newUuid } from "../id.ts";
import {
  ALGORITHM,
  createIdentityKeys,
  type IdentityKeys,
  type IdentityKeysDeps,
  TOKEN_LIFETIME_MS,
} from "./identity-keys.ts";
import type { RunClaims } from "./run-claims.ts";

/** A token as its agent is given it. */
export interface RunIdentityToken {
  token: string;
  expiresAt: string;
}

/** Tokens with which runs prove who they are to services that trust this server, without a stored key. */
export interface RunTokens {
  /** @throws MillraceError when the settings have no public URL */
  issuer(): string;
  /** @param audience who the token is for: the service refuses those of others */
  issue(claims: RunClaims, audience: string): Promise<RunIdentityToken>;
}

interface RunTokenDeps {
  keys: Pick<IdentityKeys, "signing">;
  /** That of the settings. Verifiers read the keys there, so one that was guessed from the address does not do. */
  publicUrl: string | undefined;
  now: () => Date;
}

export function createRunTokens({ keys, publicUrl, now }: RunTokenDeps): RunTokens {
  function issuer(): string {
    if (publicUrl !== undefined) return publicUrl;
    throw new MillraceError(
      "operation_not_supported",
      "This server issues no identity tokens for runs, because its public URL is not set.",
      {
        remedy:
          "Set MILLRACE_PUBLIC_URL to the https URL at which services can reach the server, and restart it (docs/how-to/run-identity.md).",
      },
    );
  }

  return {
    issuer,
    async issue(claims, audience) {
      const iss = issuer();
      const { id, privateKey } = await keys.signing();
      const iat = Math.floor(now().getTime() / 1_000);
      const exp = iat + TOKEN_LIFETIME_MS / 1_000;
      const token = await new SignJWT({ ...claims, iss, aud: audience, iat, nbf: iat, exp, jti: newUuid() })
        .setProtectedHeader({ alg: ALGORITHM, kid: id, typ: "JWT" })
        .sign(privateKey);
      return { token, expiresAt: new Date(exp * 1_000).toISOString() };
    },
  };
}

/** What lets runs prove who they are, as parts of a server take it. */
export interface RunIdentity {
  identityKeys: IdentityKeys;
  runTokens: RunTokens;
}

export function openRunIdentity(deps: IdentityKeysDeps & Pick<RunTokenDeps, "publicUrl">): RunIdentity {
  const identityKeys = createIdentityKeys(deps);
  return { identityKeys, runTokens: createRunTokens({ ...deps, keys: identityKeys }) };
}
