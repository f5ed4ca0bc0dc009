import { ApiError, type Millrace } from "../../client/client.ts";
import { MillraceError } from "../../errors/error.ts";
import { isUid } from "../../id.ts";

/** The uid of an automation by its name, in the factories that are named, or in all. @throws MillraceError */
export async function automationUid(
  client: Millrace,
  name: string,
  factories?: readonly string[],
): Promise<string> {
  if (isUid(name)) return name;
  const searched = factories ?? (await client.factories.list({ limit: 500 }).toArray()).map(({ uid }) => uid);
  const found = await Promise.all(
    searched.map((factory) => client.automations.list(factory, { limit: 500 }).toArray()),
  );
  const uids = found
    .flat()
    .filter((automation) => automation.name === name)
    .map(({ uid }) => uid);
  return onlyOne(
    uids,
    "automation",
    name,
    "Run `millrace automations list` to list the automations of a factory.",
  );
}

/** The uid of whoever acts under a name: an agent, or whose key has it. @throws MillraceError */
export async function principalUid(client: Millrace, name: string): Promise<string> {
  if (isUid(name)) return name;
  const { principal } = await client.whoami();
  const agents = await client.identities.list({ limit: 500 }).toArray();
  const known = [
    { uid: principal.uid ?? "", name: principal.display_name },
    ...agents.map((agent) => ({ uid: agent.uid, name: agent.name })),
    ...(await keyOwners(client, name)),
  ];
  const uids = known.filter((each) => each.name === name).map(({ uid }) => uid);
  return onlyOne(
    uids,
    "agent or key",
    name,
    "Run `millrace agents list` and `millrace keys list` to see the names.",
  );
}

/** Whose keys have a name: of a key that was replaced, the key that is in use. Only an admin sees the keys of others. */
async function keyOwners(client: Millrace, name: string): Promise<{ uid: string; name: string }[]> {
  try {
    const named = (await client.apiKeys.list({ limit: 500 }).toArray()).filter((key) => key.name === name);
    const active = named.filter((key) => key.revoked_at === null);
    return (active.length > 0 ? active : named).map(({ principal }) => ({ uid: principal.uid ?? "", name }));
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) return [];
    throw error;
  }
}

function onlyOne(uids: readonly string[], what: string, name: string, remedy: string): string {
  const [uid, another] = [...new Set(uids)];
  if (uid !== undefined && another === undefined) return uid;
  if (uid === undefined) {
    throw new MillraceError("resource_not_found", `There is no ${what} named "${name}".`, { remedy });
  }
  throw new MillraceError("invalid_request", `More than one ${what} is named "${name}".`, {
    remedy: `Specify one by its UID: ${[...new Set(uids)].join(", ")}.`,
  });
}
