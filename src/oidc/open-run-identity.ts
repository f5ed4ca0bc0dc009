import { createIdentityKeys, type IdentityKeys, type IdentityKeysDeps } from "./identity-keys.ts";
import { createRunTokens, type RunTokenDeps, type RunTokens } from "./run-tokens.ts";

/** What lets runs prove who they are, as parts of a server take it. */
export interface RunIdentity {
  identityKeys: IdentityKeys;
  runTokens: RunTokens;
}

export function openRunIdentity(deps: IdentityKeysDeps & Pick<RunTokenDeps, "publicUrl">): RunIdentity {
  const identityKeys = createIdentityKeys(deps);
  return { identityKeys, runTokens: createRunTokens({ ...deps, keys: identityKeys }) };
}
