import { type Database, placeholders } from "./database.ts";

/** What stands for a facet that a run does not have. */
export const NONE = 0;

/** The number of each text, made for those that have none yet. */
export async function internTexts(db: Database, texts: readonly string[]): Promise<Map<string, number>> {
  const unique = [...new Set(texts)];
  const known = await findTexts(db, unique);
  for (const text of unique.filter((text) => !known.has(text))) {
    await db.run("INSERT INTO facet_texts (text) VALUES ($1)", [text]);
  }
  return known.size === unique.length ? known : findTexts(db, unique);
}

/** The numbers of those of the texts that have one. */
export async function findTexts(db: Database, texts: readonly string[]): Promise<Map<string, number>> {
  if (texts.length === 0) return new Map();
  const rows = await db.all<{ id: number; text: string }>(
    `SELECT id, text FROM facet_texts WHERE text IN (${placeholders(texts.length)})`,
    texts,
  );
  return new Map(rows.map(({ id, text }) => [text, id]));
}

/** Facets that a run can have several of are told from each other and from the rest by how their texts begin. */
export const tagText = {
  metadata: (key: string, value: string) => `metadata:${key}=${value}`,
  ancestor: (runId: string) => `ancestor:${runId}`,
  skill: (skill: string) => `skill:${skill}`,
  artifact: (type: string) => `artifact:${type}`,
};
