import { allDone } from "../all-done.ts";
import { type Database, placeholders } from "../sqlite/database.ts";

/** What stands for a facet that a run does not have. */
export const NONE = 0;

/** Runs have most of their texts in common with the runs before them. */
const MAX_REMEMBERED = 10_000;
/** Longer texts are told apart by metadata and the like, and hardly come again. */
const MAX_REMEMBERED_LENGTH = 200;
/** A statement can have some ten thousand values, and a run as many texts as somebody gives it. */
const MAX_ASKED = 500;
const remembered = new WeakMap<Database, { undone: number; numbers: Map<string, number> }>();

/** The number of each text, made for those that have none yet. */
export async function internTexts(db: Database, texts: readonly string[]): Promise<Map<string, number>> {
  const numbers = rememberedNumbers(db);
  const unknown = [...new Set(texts)].filter((text) => !numbers.has(text));
  for (const [text, number] of await findTexts(db, unknown)) numbers.set(text, number);
  const missing = unknown.filter((text) => !numbers.has(text));
  await allDone(missing.map((text) => db.run("INSERT INTO facet_texts (text) VALUES ($1)", [text])));
  for (const [text, number] of await findTexts(db, missing)) numbers.set(text, number);
  const asked = new Map(texts.map((text) => [text, numbers.get(text) ?? NONE]));
  for (const text of unknown) if (text.length > MAX_REMEMBERED_LENGTH) numbers.delete(text);
  return asked;
}

/** A number may have been made in a transaction that was undone since. */
function rememberedNumbers(db: Database): Map<string, number> {
  const known = remembered.get(db);
  if (known && known.undone === db.undone && known.numbers.size < MAX_REMEMBERED) return known.numbers;
  const numbers = new Map<string, number>();
  remembered.set(db, { undone: db.undone, numbers });
  return numbers;
}

/** The numbers of those of the texts that have one. */
export async function findTexts(db: Database, texts: readonly string[]): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (let begin = 0; begin < texts.length; begin += MAX_ASKED) {
    const some = texts.slice(begin, begin + MAX_ASKED);
    const rows = await db.all<{ id: number; text: string }>(
      `SELECT id, text FROM facet_texts WHERE text IN (${placeholders(some.length)})`,
      some,
    );
    for (const { id, text } of rows) found.set(text, id);
  }
  return found;
}

/** Stands for a run of no factory, which no key for some factories sees: it must not be taken for a factory. */
export const ownAudience = (creatorUid: string) => `creator:${creatorUid}`;

/** Stands for a webhook: what came under its uid for another factory is not its own. */
export const webhookFacet = (factoryUid: string, webhookUid: string) => `${factoryUid}/${webhookUid}`;

/** Facets that a run can have several of are told from each other and from the rest by how their texts begin. */
export const tagText = {
  metadata: (key: string, value: string) => `metadata:${key}=${value}`,
  ancestor: (runId: string) => `ancestor:${runId}`,
  rerun: (runId: string) => `rerun:${runId}`,
  skill: (skill: string) => `skill:${skill}`,
  artifact: (type: string) => `artifact:${type}`,
};
