import type { DefaultFactory } from "../api/agents/reached-agent.ts";
import type { Config } from "../config/config.ts";
import type { Factories } from "../reconcile/factories.ts";
import type { Factory } from "../reconcile/running-factory.ts";
import { findNamed } from "../secrets/outside-scopes.ts";
import type { SecretStore } from "../secrets/secret.ts";
import { asNamed } from "../sources/setting-scopes.ts";

/**
 * The factory of the settings for runs that name none. A name that no source has stays with the factory that has it when it
 * is first looked up, as names under `secrets:` do: a definition that takes the name later gets nothing by it.
 */
export async function openDefaultFactory(
  { defaultFactory: name }: Pick<Config, "defaultFactory">,
  factories: Pick<Factories, "list">,
  store: Pick<SecretStore, "listBoundNames" | "bindNames">,
): Promise<DefaultFactory> {
  async function find(): Promise<Factory | undefined> {
    if (name === undefined) return undefined;
    // Read again each time: a source that goes on with a factory takes over the names that lead to it.
    const names = await store.listBoundNames();
    const all = factories.list();
    const { uid, isNew } = findNamed(name, all.map(asNamed), names);
    if (uid === undefined || !isNew) return all.find(({ record }) => record.uid === uid);
    await store.bindNames([{ name, uid }]);
    return find();
  }
  // Before a source is looked at whose definition could take the name.
  await find();
  return { name, find };
}
