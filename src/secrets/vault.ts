import type { ExternalPlace } from "../config/config.ts";
import { MillraceError } from "../errors/error.ts";
import { nameOfPlace, readOutside } from "./outside.ts";
import { includesFactory, NO_FACTORY, type SecretReader, type SecretScope } from "./rules/scope.ts";
import type { Sealer } from "./seal.ts";
import {
  checkSecretName,
  checkSecretValue,
  type NamedScope,
  type SealedSecret,
  type SecretStore,
  type SecretSummary,
} from "./secret.ts";

/** Secrets: set, listed by name, and opened for those who may use them. */
export interface Vault {
  /** Names, times and scopes, of secrets kept outside too; never a value. */
  list(): Promise<SecretSummary[]>;
  /** The scope of a secret that is there. */
  scopeOf(name: string): Promise<SecretScope | undefined>;
  /**
   * Gives a secret its value and its scope.
   * @param expected the scope that it had when that was decided; nothing when there was no such secret
   * @throws MillraceError `invalid_request`, or `conflict` when it has another scope, or is kept outside
   */
  set(
    name: string,
    value: string,
    scope: SecretScope,
    expected: SecretScope | undefined,
  ): Promise<SecretSummary>;
  /**
   * Says who may use a secret, and leaves its value.
   * @param expected the scope that it had when that was decided
   * @throws MillraceError `conflict` when it has another scope, or is kept outside
   */
  putScope(scope: NamedScope, expected: SecretScope): Promise<void>;
  /**
   * A value as the store keeps it, for those who write it there together with something else.
   * @throws MillraceError `invalid_request`, or `conflict` for a secret that is kept outside
   */
  seal(name: string, value: string): SealedSecret;
  /** @throws MillraceError `resource_not_found`, also when it has another scope than was expected */
  remove(name: string, expected: SecretScope): Promise<void>;
  /** The values, as they are now, of those secrets that exist and that the reader may use. */
  open(names: readonly string[], reader: SecretReader): Promise<Map<string, string>>;
  /** Where the settings keep a secret, in words; nothing for one of the store. */
  placeOf(name: string): string | undefined;
  /** Whether the settings themselves use it, as a credential of a source or a forge: no agent gets it. */
  isOfServer(name: string): boolean;
}

export interface VaultOptions {
  store: SecretStore;
  sealer: Sealer;
  /** Secrets that the settings keep elsewhere; they win over the store. */
  outside: Readonly<Record<string, ExternalPlace>>;
  /** Names of the secrets that the settings themselves use. */
  ofServer: ReadonlySet<string>;
  env: Record<string, string | undefined>;
  now: () => Date;
}

export function createVault({ store, sealer, outside, ofServer, env, now }: VaultOptions): Vault {
  const isOutside = (name: string) => Object.hasOwn(outside, name);

  function refuseOutside(name: string): void {
    if (!isOutside(name)) return;
    throw new MillraceError(
      "conflict",
      `The value of the secret ${name} comes from outside millrace, as set under secrets: in millrace.yaml.`,
      {
        remedy: "Change it at its source, or remove it from millrace.yaml first.",
        retryable: false,
      },
    );
  }

  function seal(name: string, value: string): SealedSecret {
    checkSecretName(name);
    checkSecretValue(name, value);
    refuseOutside(name);
    return { name, sealed: sealer.seal(value, secretContext(name)) };
  }

  async function list(): Promise<SecretSummary[]> {
    const inStore = (await store.list()).filter(({ name }) => !isOutside(name));
    const scopes = new Map((await store.listScopes()).map((scope) => [scope.name, scope]));
    const started = now().toISOString();
    const elsewhere = Object.keys(outside).map((name) => {
      const { shared, factories } = scopes.get(name) ?? NO_FACTORY;
      return { name, created_at: started, updated_at: started, shared, factories };
    });
    return [...inStore, ...elsewhere].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** Those of the names whose scope, and what they are for, leave them to the reader. */
  async function usable(names: readonly string[], reader: SecretReader): Promise<string[]> {
    const all = [...new Set(names)];
    if (reader === "server") return all;
    const mayBe = "agentsOf" in reader ? all.filter((name) => !ofServer.has(name)) : all;
    const uid = "agentsOf" in reader ? reader.agentsOf : reader.webhooksOf;
    if (uid === null || mayBe.length === 0) return mayBe;
    const scopes = (await store.listScopes()).filter((scope) => includesFactory(scope, uid));
    const within = new Set(scopes.map(({ name }) => name));
    return mayBe.filter((name) => within.has(name));
  }

  return {
    placeOf(name) {
      const place = isOutside(name) ? outside[name] : undefined;
      return place && nameOfPlace(place);
    },
    isOfServer: (name) => ofServer.has(name),
    list,
    async scopeOf(name) {
      const found = (await list()).find((secret) => secret.name === name);
      return found && { shared: found.shared, factories: found.factories };
    },
    async set(name, value, scope, expected) {
      const put = await store.put({ ...seal(name, value), scope, expected }, now().toISOString());
      if (put) return put;
      throw changedMeanwhile(name);
    },
    async putScope(scope, expected) {
      refuseOutside(scope.name);
      if (!(await store.changeScope(scope, expected))) throw changedMeanwhile(scope.name);
    },
    seal,
    async remove(name, expected) {
      refuseOutside(name);
      if (await store.remove(name, expected)) return;
      throw noSecret(name);
    },
    async open(names, reader) {
      const asked = await usable(names, reader);
      const values = new Map<string, string>();
      for (const name of asked) {
        const place = isOutside(name) ? outside[name] : undefined;
        const value = place ? await readOutside(place, env) : undefined;
        if (value !== undefined) values.set(name, value);
      }
      const inStore = asked.filter((name) => !isOutside(name));
      for (const { name, sealed } of inStore.length > 0 ? await store.find(inStore) : []) {
        values.set(name, sealer.open(sealed, secretContext(name)));
      }
      return values;
    },
  };
}

function changedMeanwhile(name: string): MillraceError {
  return new MillraceError(
    "conflict",
    `Someone else has just changed which factories may use the secret ${name}.`,
    {
      remedy: "Check the secret, and set it again.",
    },
  );
}

export function noSecret(name: string): MillraceError {
  return new MillraceError("resource_not_found", `There is no secret "${name}".`, {
    remedy: "`millrace secrets list` shows the secrets that the key can access.",
  });
}

/** A credential of the settings as it is now, wherever it is kept; nothing when it is not there. */
export async function readSecretSource(
  place: ExternalPlace | { secret: string },
  { vault, env }: { vault: Pick<Vault, "open">; env: Record<string, string | undefined> },
): Promise<string | undefined> {
  if ("secret" in place) return (await vault.open([place.secret], "server")).get(place.secret);
  return (await readOutside(place, env))?.trim();
}

function secretContext(name: string): string {
  return `secret:${name}`;
}
