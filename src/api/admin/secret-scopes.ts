import { MillraceError } from "../../errors/error.ts";
import type { ApiKey } from "../../principals/principal.ts";
import type { Factories } from "../../reconcile/factories.ts";
import {
  includesFactory,
  isWithin,
  NO_FACTORY,
  onlyFor,
  type SecretScope,
  SHARED,
} from "../../secrets/rules/scope.ts";
import type { Vault } from "../../secrets/vault.ts";
import { reachesFactory } from "../http/authorize.ts";
import { invalidField } from "../runs/start/agent-config-check.ts";

/** What a request says of who may use a secret. */
export interface AskedScope {
  factories?: string[];
  shared?: boolean;
}

/** A secret that a request is about, and whose key asks. */
export interface AskedSecret {
  name: string;
  /** The scope that it has; nothing when there is no such secret. */
  found: SecretScope | undefined;
  key: ApiKey;
}

export interface ScopeDeps {
  factories: Factories;
  vault: Pick<Vault, "isOfServer">;
}

/** Whether a key may know of a secret: it reaches a factory that may use it. Credentials of the server are its admins'. */
export function seesSecret(
  { factories }: ApiKey,
  { name, ...scope }: SecretScope & { name: string },
  vault: ScopeDeps["vault"],
): boolean {
  if (factories === null) return true;
  return !vault.isOfServer(name) && factories.some((uid) => includesFactory(scope, uid));
}

/**
 * Sees to it that a key may change a secret that is there: all who may use it are factories of the key.
 * @throws MillraceError `not_authorized` when others use it too, `conflict` when only others do
 */
export function requireOwnSecret({ name, found, key }: AskedSecret, vault: ScopeDeps["vault"]): void {
  if (key.factories === null) return;
  if (vault.isOfServer(name)) throw nameTaken(name);
  if (!found || isWithin(found, key.factories)) return;
  if (!seesSecret(key, { name, ...found }, vault)) throw nameTaken(name);
  throw new MillraceError("not_authorized", `The secret ${name} is also used outside this factory.`, {
    remedy: "Use an API key that is not limited to some factories, or a secret with another name.",
  });
}

/**
 * The scope that a secret gets with its value. What a key for one factory sets is that factory's; what nobody says of a
 * secret that some factory uses stays as it is.
 * @throws MillraceError `invalid_request` when nobody says who may use it, and several could be meant
 */
export function chooseScope(asked: AskedScope, secret: AskedSecret, deps: ScopeDeps): SecretScope {
  const { name, found, key } = secret;
  const { factories, vault } = deps;
  if (asked.shared && asked.factories) {
    throw invalidField(
      "shared",
      "a shared secret is available to every factory; send either factories or shared, not both",
    );
  }
  if (asked.shared) return sharedBy(key);
  if (asked.factories) return scopeNamed(asked.factories, key, factories);
  const reached = factories.list().filter(({ record }) => reachesFactory(key, record.uid));
  if (found && reached.some(({ record }) => includesFactory(found, record.uid))) return found;
  if (vault.isOfServer(name)) return NO_FACTORY;
  const [only, another] = reached;
  // A factory that is not served now keeps what it could use.
  if (only && !another) return onlyFor([...(found?.factories ?? []), only.record.uid]);
  throw new MillraceError(
    "invalid_request",
    `factories: this server has several factories, and the request does not specify which of them may use the secret ${name}.`,
    {
      remedy: `Run \`millrace secrets set ${name} --factory ${only?.record.name ?? "NAME"}\`, or use --shared to allow every factory; over the API, send factories or shared.`,
      extra: { field: "factories" },
    },
  );
}

function sharedBy({ factories }: ApiKey): SecretScope {
  if (factories === null) return SHARED;
  throw new MillraceError(
    "not_authorized",
    "A shared secret is available to every factory, but the API key is limited to some factories.",
    { remedy: "Specify factories that the key can access, or use a key that is not limited." },
  );
}

/** Only whoever answers for the whole server can leave a secret to the server alone. */
function scopeNamed(names: readonly string[], key: ApiKey, factories: Factories): SecretScope {
  if (names.length === 0 && key.factories !== null)
    throw invalidField("factories", "expected at least one factory that the key can access");
  return onlyFor(names.map((name) => reachedUid(name, key, factories)));
}

function reachedUid(name: string, key: ApiKey, factories: Factories): string {
  const found = factories.find(name);
  if (found && reachesFactory(key, found.record.uid)) return found.record.uid;
  throw new MillraceError("invalid_request", `factories: there is no factory ${JSON.stringify(name)}.`, {
    remedy: "`millrace status` shows the factories that the key can access.",
    extra: { field: "factories" },
  });
}

/** Names are unique on a server. Of a secret that the key does not reach, this is all that is said. */
function nameTaken(name: string): MillraceError {
  return new MillraceError("conflict", `The secret name ${name} is already used on this server.`, {
    remedy: "Choose another name. Definitions can use any secret name.",
    retryable: false,
    extra: { field: "name" },
  });
}
