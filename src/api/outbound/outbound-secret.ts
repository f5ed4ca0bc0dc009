import { randomBytes } from "node:crypto";
import { MillraceError } from "../../errors/error.ts";
import { reconcileSharedSecret } from "../../reconcile/shared-secrets.ts";
import { includesFactory, onlyFor } from "../../secrets/rules/scope.ts";
import type { Vault } from "../../secrets/vault.ts";
import { requireOwnSecret } from "../admin/secret-scopes.ts";
import { findFactory } from "../factories/factories.ts";
import { type Endpoints, keyOf } from "../http/endpoint.ts";
import type { SecretAnswers } from "../http/secret-answers.ts";
import { findOutbound, type OutboundApiDeps } from "./outbound.ts";

export interface OutboundSecretDeps extends OutboundApiDeps {
  vault: Vault;
  secretAnswers: SecretAnswers;
}

/** As many as HMAC-SHA256 has use for. */
const SECRET_BYTES = 32;

/** Makes the signing secret of an outbound webhook, which is shown once. */
export function outboundSecretEndpoints(deps: OutboundSecretDeps) {
  const { vault, factories, secretAnswers, outboundSender } = deps;
  return {
    rotateOutboundSecret: {
      handle: (request) =>
        secretAnswers.once(request, async () => {
          const { uid, name: factory } = findFactory(request, factories).record;
          const { secretName: name = "" } = findOutbound(request, deps);
          const found = await vault.scopeOf(name);
          const key = keyOf(request);
          requireOwnSecret({ name, found, key }, vault);
          if (vault.isOfServer(name) || (found && !includesFactory(found, uid)))
            throw ofOthers(name, factory);
          const secret = `whsec_${randomBytes(SECRET_BYTES).toString("base64")}`;
          await vault.set(name, secret, found ?? onlyFor([uid]), found);
          reconcileSharedSecret(name, factories);
          // What its receiver refused was signed with the secret before.
          await outboundSender.secretChanged(name);
          return { json: { secret_name: name, secret } };
        }),
    },
  } satisfies Endpoints;
}

function ofOthers(name: string, factory: string): MillraceError {
  return new MillraceError(
    "conflict",
    `The factory "${factory}" may not use a secret with the name ${name}.`,
    {
      remedy: "Set another secretName in the file of the outbound webhook.",
      retryable: false,
    },
  );
}
