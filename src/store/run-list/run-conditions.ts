import type { RunFilter } from "../../runs/run-query.ts";
import { NONE, tagText } from "../runs/facets.ts";

/** A filter on a column that holds one facet of each run, which has an index in the order of updates. */
export interface FacetCondition {
  column: string;
  values: number[];
}

/** A filter on a column that is compared. */
export interface Comparison {
  column: "created_at" | "updated_at" | "in_factory" | "number";
  operator: "<" | ">" | ">=" | "=";
  value: number;
}

/** What a listing asks of runs. */
export interface RunConditions {
  facets: FacetCondition[];
  tags: number[];
  comparisons: Comparison[];
  withoutSkill?: boolean;
  /** With what ids begin. */
  idStart?: string;
}

type Numbers = ReadonlyMap<string, number>;

/** Every text that a filter names, to be looked up before {@link runConditions}. */
export function filterTexts(filter: RunFilter): string[] {
  return [...columnTexts(filter).flatMap(([, texts]) => texts), ...tagTexts(filter)].filter(
    (text) => text !== null,
  );
}

/** @returns nothing when a text that the filter insists on is one that no run has */
export function runConditions(filter: RunFilter, numbers: Numbers): RunConditions | undefined {
  const facets = columnTexts(filter).map(([column, texts]) => {
    const values = texts.flatMap((text) => (text === null ? NONE : (numbers.get(text) ?? [])));
    return { column, values };
  });
  const tags = tagTexts(filter).flatMap((text) => numbers.get(text) ?? []);
  if (facets.some(({ values }) => values.length === 0) || tags.length < tagTexts(filter).length)
    return undefined;
  return { facets, tags, comparisons: comparisons(filter) };
}

/** Null stands for runs that have nothing there. */
function columnTexts(filter: RunFilter): [column: string, texts: (string | null)[]][] {
  const { visibleTo, environmentId } = filter;
  const one = (text: string | undefined) => (text === undefined ? undefined : [text]);
  const columns: [string, readonly (string | null)[] | undefined][] = [
    ["state", filter.states],
    ["source", filter.sources],
    ["name", one(filter.name)],
    ["model", one(filter.modelId)],
    ["creator", one(filter.creator)],
    ["executor", one(filter.executor)],
    ["environment", environmentId === undefined ? undefined : [environmentId]],
    ["schedule", one(filter.scheduleId)],
    ["automation", one(filter.automationId)],
    ["audience", filter.factoryUids],
    ["audience", visibleTo],
  ];
  return columns.flatMap(([column, texts]) => (texts === undefined ? [] : [[column, [...new Set(texts)]]]));
}

function tagTexts(filter: RunFilter): string[] {
  return [
    ...Object.entries(filter.metadata ?? {}).map(([key, value]) => tagText.metadata(key, value)),
    ...(filter.ancestorId === undefined ? [] : [tagText.ancestor(filter.ancestorId)]),
    ...(filter.rerunOf === undefined ? [] : [tagText.rerun(filter.rerunOf)]),
    ...(filter.skill === undefined ? [] : [tagText.skill(filter.skill)]),
    ...(filter.artifactType === undefined ? [] : [tagText.artifact(filter.artifactType)]),
  ];
}

function comparisons({ createdAfter, createdBefore, updatedAfter, inFactory }: RunFilter): Comparison[] {
  const all: Comparison[] = [];
  if (createdAfter !== undefined) {
    // What was created later was updated later too, which lets a walk in the order of updates end there.
    all.push({ column: "created_at", operator: ">=", value: createdAfter });
    all.push({ column: "updated_at", operator: ">=", value: createdAfter });
  }
  if (createdBefore !== undefined) all.push({ column: "created_at", operator: "<", value: createdBefore });
  if (updatedAfter !== undefined) all.push({ column: "updated_at", operator: ">=", value: updatedAfter });
  if (inFactory !== undefined) all.push({ column: "in_factory", operator: "=", value: inFactory ? 1 : 0 });
  return all;
}

/**
 * The SQL that finds the runs of a facet by its index. Some indexes hold only runs that have something there, and SQLite
 * uses those only for a condition that says so in the same words (https://sqlite.org/partialindex.html).
 */
export function inIndex(
  column: string,
  { values }: FacetCondition,
  bind: (value: number, index: number) => string,
): string {
  const isOne = `${column} IN (${values.map(bind).join(", ")})`;
  return values.includes(NONE) ? isOne : `${isOne} AND ${column} <> ${NONE}`;
}
