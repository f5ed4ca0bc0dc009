import { MillraceError } from "../errors/error.ts";
import type { Span } from "./usage.ts";

/** The periods into which figures can be divided. Weeks start on Sunday. */
export const PERIODS = ["day", "week", "month"] as const;
export type Period = (typeof PERIODS)[number];

const MAX_PERIODS = 365;
const DAY_LENGTH = "2026-01-31".length;

/** The time that figures are of. */
export interface Frame {
  span: Span;
  /** Divides it into periods, each called by its first day; nothing where only the whole is asked for. */
  division?: { by: Period; labels: readonly string[] };
}

/** Things with dates: all of them, and those of each period. */
export interface Dated<Item> {
  all: readonly Item[];
  in(label: string): readonly Item[];
}

/** Figures, and the same figures for each period where these are asked for. */
export type WithSeries<Figures> = Figures & { series?: Figures[] };

/** @throws MillraceError `invalid_request` for more periods than one answer has */
export function frameOf(span: Span, by: Period | undefined): Frame {
  if (by === undefined) return { span };
  const labels: string[] = [];
  for (let label = labelOf(span.from, by); startOf(label) < span.to; label = labelAfter(label, by)) {
    if (labels.length === MAX_PERIODS) throw tooManyPeriods(by);
    labels.push(label);
  }
  return { span, division: { by, labels } };
}

/** The things whose instants lie in the time that is asked for. @param instantOf nothing for what has no date */
export function datedIn<Item>(
  { span, division }: Frame,
  items: readonly Item[],
  instantOf: (item: Item) => string | null,
): Dated<Item> {
  const all = items.filter((item) => {
    const instant = instantOf(item);
    return instant !== null && instant >= span.from && instant < span.to;
  });
  if (!division) return { all, in: () => [] };
  const byLabel = groupBy(all, (item) => labelOf(instantOf(item) ?? "", division.by));
  return { all, in: (label) => byLabel.get(label) ?? [] };
}

/** @param figuresOf makes figures of what `pick` takes out of the things that have dates */
export function withSeries<Figures extends object>(
  { division }: Frame,
  figuresOf: (pick: <Item>(dated: Dated<Item>) => readonly Item[]) => Figures,
): WithSeries<Figures> {
  const whole = figuresOf(({ all }) => all);
  if (!division) return whole;
  return { ...whole, series: division.labels.map((label) => figuresOf((dated) => dated.in(label))) };
}

/** The first day of the period that an instant lies in. */
function labelOf(instant: string, by: Period): string {
  if (by === "day") return instant.slice(0, DAY_LENGTH);
  const first = new Date(instant);
  if (by === "week") first.setUTCDate(first.getUTCDate() - first.getUTCDay());
  else first.setUTCDate(1);
  return first.toISOString().slice(0, DAY_LENGTH);
}

const startOf = (label: string) => new Date(label).toISOString();

function labelAfter(label: string, by: Period): string {
  const next = new Date(label);
  if (by === "month") next.setUTCMonth(next.getUTCMonth() + 1);
  else next.setUTCDate(next.getUTCDate() + (by === "week" ? 7 : 1));
  return next.toISOString().slice(0, DAY_LENGTH);
}

function tooManyPeriods(by: Period): MillraceError {
  return new MillraceError(
    "invalid_request",
    `group_by_period: from start_date to end_date there are more than ${MAX_PERIODS} periods of a ${by}.`,
    {
      remedy: "Ask for longer periods, or for a shorter time.",
      extra: { field: "group_by_period" },
    },
  );
}

/** Things by their keys, in their order. */
export function groupBy<Item>(items: Iterable<Item>, keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const known = groups.get(key);
    if (known) known.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
