import type { TaskPage, TaskQuery } from "../../tasks/task-query.ts";
import type { Database, SqlValue } from "../sqlite/database.ts";
import { searchTitle, TASK_COLUMNS, type TaskRow, toTask } from "./task-row.ts";

/** The tasks of a factory that fit a filter, sorted by an instant and then by uid. */
export async function listTasks(db: Database, query: TaskQuery): Promise<TaskPage> {
  const { sort, descending, after, limit } = query;
  const { where, values } = conditionsOf(query);
  const direction = descending ? "DESC" : "ASC";
  if (after) {
    where.push(`(${sort}, uid) ${descending ? "<" : ">"} ($${values.length + 1}, $${values.length + 2})`);
    values.push(after.at, after.uid);
  }
  const rows = await db.all<TaskRow>(
    `SELECT ${TASK_COLUMNS} FROM tasks WHERE ${where.join(" AND ")}
     ORDER BY ${sort} ${direction}, uid ${direction} LIMIT $${values.length + 1}`,
    [...values, limit + 1],
  );
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    tasks: page.map(toTask),
    ...(last && rows.length > limit ? { next: { at: last[sort], uid: last.uid } } : {}),
  };
}

function conditionsOf({ filter }: TaskQuery) {
  const values: SqlValue[] = [];
  const given = (value: SqlValue) => `$${values.push(value)}`;
  const oneOf = (texts: readonly string[]) => texts.map(given).join(", ");
  const where = [`factory_uid = ${given(filter.factoryUid)}`, "deleted_at IS NULL"];
  if (filter.stages) where.push(`stage IN (${oneOf(filter.stages)})`);
  if (filter.authors) {
    where.push(`(author_uid IN (${oneOf(filter.authors)}) OR author_name IN (${oneOf(filter.authors)}))`);
  }
  if (filter.text !== undefined) where.push(`search_title LIKE ${given(partOf(filter.text))} ESCAPE '\\'`);
  if (filter.createdAfter !== undefined) where.push(`created_at >= ${given(filter.createdAfter)}`);
  if (filter.createdBefore !== undefined) where.push(`created_at < ${given(filter.createdBefore)}`);
  if (filter.updatedAfter !== undefined) where.push(`updated_at >= ${given(filter.updatedAfter)}`);
  return { where, values };
}

/** A pattern that finds a text as it is, wherever it stands. */
function partOf(text: string): string {
  return `%${searchTitle(text).replaceAll(/[\\%_]/g, "\\$&")}%`;
}
