import { lookOf } from "../../id.ts";
import type { Database } from "../sqlite/database.ts";
import { FACTORY_COLUMNS, type FactoryRow } from "./factory-row.ts";

interface NamedRow extends FactoryRow {
  /** JSON of what its definition in force says of the factory; nothing before the first. */
  body: string | null;
}

const COLUMNS = FACTORY_COLUMNS.map((column) => `factories.${column}`).join(", ");

/** There are few factories, and what one says of itself is read rarely. */
function listNamed(db: Database): Promise<NamedRow[]> {
  return db.all<NamedRow>(
    `SELECT ${COLUMNS}, resources.body FROM factories LEFT JOIN resources
       ON resources.factory_uid = factories.uid AND resources.kind = 'factory' AND resources.deleted_at IS NULL`,
    [],
  );
}

const aliasOf = ({ body }: NamedRow) =>
  body === null ? undefined : (JSON.parse(body) as { alias?: string }).alias;

/** The factory that is called something that looks like a name: by its name, by its alias in force, or by its uid. */
export async function findByLook(db: Database, name: string): Promise<FactoryRow | undefined> {
  return (await listNamed(db)).find(looksLike(name));
}

function looksLike(name: string): (row: NamedRow) => boolean {
  const look = lookOf(name);
  return (row) =>
    [row.name, aliasOf(row), row.uid].some((each) => each !== undefined && lookOf(each) === look);
}

/**
 * The factories that have a name or an alias which another wants. People take one for the other, and for a
 * uid, so they share one space; what a factory was called before that held stays its own.
 */
export async function findTakenNames(
  db: Database,
  factoryUid: string,
  { name, alias }: { name: string; alias: string | undefined },
): Promise<{ name: FactoryRow | undefined; alias: FactoryRow | undefined }> {
  const rows = await listNamed(db);
  const own = rows.find(({ uid }) => uid === factoryUid);
  const others = rows.filter(({ uid }) => uid !== factoryUid);
  const isNewName = own?.name !== name;
  const isNewAlias = alias !== undefined && !(own && aliasOf(own) === alias);
  const hasName = looksLike(name);
  const hasAlias = looksLike(alias ?? "");
  const isAliasOf = (row: NamedRow) => {
    const other = aliasOf(row);
    return alias !== undefined && other !== undefined && lookOf(other) === lookOf(alias);
  };
  return {
    name: others.find((row) => row.name === name || (isNewName && hasName(row))),
    alias: others.find((row) => isAliasOf(row) || (isNewAlias && hasAlias(row))),
  };
}
