import type { Outside } from "../config/config.ts";
import { MillraceError } from "../error.ts";
import { nameOfPlace, readOutside } from "./outside.ts";
import type { Sealer } from "./seal.ts";
import {
  checkSecretName,
  checkSecretValue,
  type SealedSecret,
  type SecretStore,
  type SecretSummary,
} from "./secret.ts";

/** The team's secrets: set, listed by name, and opened for those who may act with them. */
export interface Vault {
  /** Names and times, of secrets kept outside too; never a value. */
  list(): Promise<SecretSummary[]>;
  set(name: string, value: string): Promise<SecretSummary>;
  /**
   * A value as the store keeps it, for those who write it there together with something else.
   * @throws MillraceError `invalid_request`, or `conflict` for a secret that is kept outside
   */
  seal(name: string, value: string): SealedSecret;
  /** @throws MillraceError `resource_not_found` */
  remove(name: string): Promise<void>;
  /** The values of those names that exist, as they are now. */
  open(names: readonly string[]): Promise<Map<string, string>>;
  /** Where the settings keep a secret, in words; nothing for one of the store. */
  placeOf(name: string): string | undefined;
}

export interface VaultOptions {
  store: SecretStore;
  sealer: Sealer;
  /** Secrets that the settings keep elsewhere; they win over the store. */
  outside: Readonly<Record<string, Outside>>;
  env: Record<string, string | undefined>;
  now: () => Date;
}

export function createVault({ store, sealer, outside, env, now }: VaultOptions): Vault {
  const isOutside = (name: string) => Object.hasOwn(outside, name);

  function refuseOutside(name: string): void {
    if (!isOutside(name)) return;
    throw new MillraceError(
      "conflict",
      `The secret ${name} is kept outside of millrace, by secrets: in millrace.yaml.`,
      {
        remedy: "Change it where it is kept, or take it out of millrace.yaml first.",
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

  return {
    placeOf(name) {
      const place = isOutside(name) ? outside[name] : undefined;
      return place && nameOfPlace(place);
    },
    async list() {
      const inStore = await store.list();
      const started = now().toISOString();
      const elsewhere = Object.keys(outside).map((name) => ({
        name,
        created_at: started,
        updated_at: started,
      }));
      return [...inStore.filter(({ name }) => !isOutside(name)), ...elsewhere].sort((a, b) =>
        a.name < b.name ? -1 : 1,
      );
    },
    set: async (name, value) => store.put(seal(name, value), now().toISOString()),
    seal,
    async remove(name) {
      refuseOutside(name);
      if (await store.remove(name)) return;
      throw new MillraceError("resource_not_found", `There is no secret "${name}".`);
    },
    async open(names) {
      const values = new Map<string, string>();
      for (const name of new Set(names)) {
        const place = isOutside(name) ? outside[name] : undefined;
        const value = place ? await readOutside(place, env) : undefined;
        if (value !== undefined) values.set(name, value);
      }
      const inStore = [...new Set(names)].filter((name) => !isOutside(name));
      for (const { name, sealed } of inStore.length > 0 ? await store.find(inStore) : []) {
        values.set(name, sealer.open(sealed, secretContext(name)));
      }
      return values;
    },
  };
}

/** A credential of the settings as it is now, wherever it is kept; nothing when it is not there. */
export async function readPlace(
  place: Outside | { secret: string },
  { vault, env }: { vault: Pick<Vault, "open">; env: Record<string, string | undefined> },
): Promise<string | undefined> {
  if ("secret" in place) return (await vault.open([place.secret])).get(place.secret);
  return (await readOutside(place, env))?.trim();
}

function secretContext(name: string): string {
  return `secret:${name}`;
}
