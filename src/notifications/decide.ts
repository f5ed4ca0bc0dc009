import type { DeliveryStore } from "../ingress/delivery.ts";
import { REFUSED_IN_A_ROW, refusesAll } from "../ingress/refuses-all.ts";
import type { Factories } from "../reconcile/factories.ts";
import { findByUid } from "../reconcile/find-by-uid.ts";
import type { Factory } from "../reconcile/running-factory.ts";
import type { NotificationContent } from "./content.ts";
import type { Cause, Series } from "./notification.ts";
import { tellOfBudget } from "./tell-budgets.ts";
import { tellOfFailedApply, tellOfRefusals } from "./tell-factories.ts";
import { runSeries, tellOfRun } from "./tell-runs.ts";

export interface DecideDeps {
  factories: Pick<Factories, "find">;
  deliveries: Pick<DeliveryStore, "findLatestOf">;
  publicUrl(): string;
  now(): Date;
}

/** Something to tell, and of what. */
export interface News {
  cause: string;
  factory: Factory | undefined;
  factoryUid: string | null;
  runId: string | null;
  content: NotificationContent;
}

/** What some changes mean: what is to be told, and which series of failures they begin and end. */
export interface Decision {
  news: News[];
  opened: Series[];
  closed: Series[];
}

export const keyOfSeries = ({ kind, subject }: Series) => `${kind}:${subject}`;

/**
 * Decides what is to be told of changes, in their order.
 * @param open the keys of the series that go on; brought up to date
 */
export async function decide(
  causes: readonly Cause[],
  open: Set<string>,
  deps: DecideDeps,
): Promise<Decision> {
  const decision: Decision = { news: [], opened: [], closed: [] };
  const begins = (series: Series): boolean => {
    if (open.has(keyOfSeries(series))) return false;
    open.add(keyOfSeries(series));
    decision.opened.push(series);
    return true;
  };
  const ends = (series: Series): void => {
    if (!open.delete(keyOfSeries(series))) return;
    decision.closed.push(series);
    // One that began among the same changes was not written yet.
    decision.opened = decision.opened.filter((each) => keyOfSeries(each) !== keyOfSeries(series));
  };
  const refused = new Map<string, Cause>();
  for (const cause of causes) {
    if (cause.kind === "run") decision.news.push(...runNews(cause, begins, ends, deps));
    else if (cause.kind === "factory") decision.news.push(...factoryNews(cause, begins, ends, deps));
    else if (cause.kind === "budget") decision.news.push(...budgetNews(cause, deps));
    else if (cause.status.startsWith("Rejected")) refused.set(cause.webhookUid ?? "", cause);
    else {
      ends({ kind: "webhook", subject: cause.webhookUid ?? "" });
      refused.delete(cause.webhookUid ?? "");
    }
  }
  for (const cause of refused.values()) decision.news.push(...(await webhookNews(cause, open, begins, deps)));
  return decision;
}

type Begins = (series: Series) => boolean;
type Ends = (series: Series) => void;

function runNews(cause: Cause, begins: Begins, ends: Ends, { factories, publicUrl }: DecideDeps): News[] {
  const { run, subject, status, factoryUid, seq } = cause;
  // It was deleted since.
  if (!run) return [];
  if (status === "SUCCEEDED") {
    ends(runSeries(cause));
    return [];
  }
  const factory = findByUid(factoryUid, factories);
  const told = { factory, factoryUid, runId: subject };
  if (status === "BLOCKED") {
    // Somebody has answered since.
    if (run.state !== "BLOCKED") return [];
    const content = tellOfRun(cause, run, "run.blocked", factory, publicUrl());
    return [{ ...told, cause: `run.blocked:${run.questionId ?? seq}`, content }];
  }
  if (!begins(runSeries(cause))) return [];
  const content = tellOfRun(cause, run, "run.failed", factory, publicUrl());
  return [{ ...told, cause: `run.failed:${seq}`, content }];
}

function factoryNews(cause: Cause, begins: Begins, ends: Ends, { factories, publicUrl }: DecideDeps): News[] {
  const { subject, status, seq, at } = cause;
  const series: Series = { kind: "factory", subject };
  if (status === "synced" || status === "deleted") ends(series);
  const factory = findByUid(subject, factories);
  // It may have been mended since.
  if (status !== "failed" || factory?.record.sync.status !== "failed" || !begins(series)) return [];
  const content = tellOfFailedApply(factory, at, publicUrl());
  return [{ cause: `factory.failed:${seq}`, factory, factoryUid: subject, runId: null, content }];
}

/** Once a day at most, which the store sees to. */
function budgetNews(
  { subject, status, factoryUid, seq, at }: Cause,
  { factories, publicUrl }: DecideDeps,
): News[] {
  const factory = findByUid(factoryUid, factories);
  const content = factory && tellOfBudget(factory, { uid: subject, limit: status }, at, publicUrl());
  return content ? [{ cause: `budget.reached:${seq}`, factory, factoryUid, runId: null, content }] : [];
}

async function webhookNews(
  { webhookUid, factoryUid, seq, at }: Cause,
  open: ReadonlySet<string>,
  begins: Begins,
  { factories, deliveries, publicUrl, now }: DecideDeps,
): Promise<News[]> {
  const uid = webhookUid ?? "";
  const series: Series = { kind: "webhook", subject: uid };
  const factory = findByUid(factoryUid, factories);
  const webhook = factory?.active?.webhooks.find((each) => each.uid === uid)?.webhook;
  if (!factory || !webhook || open.has(keyOfSeries(series))) return [];
  const latest = (await deliveries.findLatestOf([{ factoryUid: factory.record.uid, uid }], REFUSED_IN_A_ROW))[
    uid
  ];
  if (!refusesAll(latest ?? [], now()) || !begins(series)) return [];
  const content = tellOfRefusals(factory, { uid, name: webhook.name }, latest ?? [], at, publicUrl());
  return [{ cause: `webhook.refusing:${seq}`, factory, factoryUid, runId: null, content }];
}
