import type { DefinitionChange } from "../../definitions/changes/plan.ts";
import type { Automation } from "../../definitions/definition.ts";
import type { Listener } from "../../runs/triggers/factory-event.ts";
import type { Database } from "../sqlite/database.ts";

/** Of most definitions, the texts of the automations need not be parsed. */
const OWN_PROVIDER = '"factory"';

/** Brings the listeners of a factory up to date with what applying a revision changes, in its transaction. */
export async function keepListeners(
  db: Database,
  factoryUid: string,
  changes: readonly DefinitionChange[],
  uidOf: (change: DefinitionChange) => string | undefined,
): Promise<void> {
  const automations = changes.filter(({ kind }) => kind === "automation");
  if (automations.length === 0) return;
  const listening = new Set(automations.filter(listens).map(uidOf));
  const known = await db.all<{ automation_uid: string; name: string | null }>(
    `SELECT automation_uid, name FROM trigger_listeners LEFT JOIN resources ON uid = automation_uid
     WHERE trigger_listeners.factory_uid = $1`,
    [factoryUid],
  );
  const changed = new Set(automations.map(({ name }) => name));
  for (const { automation_uid, name } of known) {
    if (listening.has(automation_uid) || (name !== null && !changed.has(name))) continue;
    await db.run("DELETE FROM trigger_listeners WHERE automation_uid = $1", [automation_uid]);
  }
  const found = [...listening].filter((uid) => uid !== undefined);
  await addListeners(
    db,
    found.map((automationUid) => ({ automationUid, factoryUid })),
  );
}

/** Lets listeners that are not known yet count from the newest change on. */
export async function addListeners(db: Database, listeners: readonly Listener[]): Promise<void> {
  if (listeners.length === 0) return;
  // Nobody has listened so far, so what was changed until now is followed by nobody.
  await db.run(
    `UPDATE trigger_progress SET seq = COALESCE((SELECT MAX(seq) FROM changes), 0)
     WHERE NOT EXISTS (SELECT 1 FROM trigger_listeners)`,
  );
  for (const { automationUid, factoryUid } of listeners) {
    await db.run(
      `INSERT INTO trigger_listeners (automation_uid, factory_uid, since)
       SELECT $1, $2, COALESCE(MAX(seq), 0) FROM changes WHERE true ON CONFLICT (automation_uid) DO NOTHING`,
      [automationUid, factoryUid],
    );
  }
}

function listens(change: DefinitionChange): boolean {
  if (change.action === "delete" || !change.body.includes(OWN_PROVIDER)) return false;
  const { enabled, triggers } = JSON.parse(change.body) as Automation;
  return enabled && triggers.some(({ provider }) => provider === "factory");
}
