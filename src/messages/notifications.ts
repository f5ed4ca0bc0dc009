import type { NotificationEvent, NotificationSetting } from "../config/notification-settings.ts";
import type { Delivery, DeliveryStore } from "../ingress/delivery.ts";
import { REFUSED_IN_A_ROW, refusesAll } from "../ingress/refusal.ts";
import type { Log } from "../log.ts";
import { type Factories, findByUid } from "../reconcile/factories.ts";
import type { Factory } from "../reconcile/running-factory.ts";
import { runCaps } from "../runs/caps.ts";
import { DAY_LIMITS, dayLimitText } from "../runs/rules/budget.ts";
import type { ProviderHold } from "../runs/rules/provider-limit.ts";
import type { Followed, NewMessage, Notification, NotificationContent, Outbox, SentEvent } from "./outbox.ts";
import type { AttemptDeps } from "./send.ts";
import {
  type ChangeReader,
  type FollowDeps,
  type MessageOutcome,
  type RunningOutbox,
  startOutbox,
} from "./start-outbox.ts";
import { listTargets, messageFor, type Target } from "./target.ts";

export interface NotifierDeps
  extends AttemptDeps,
    Pick<DecideDeps, "deliveries" | "publicUrl">,
    Pick<FollowDeps<FollowedChanges>, "leadership" | "catchUp" | "nextCommit"> {
  factories: Pick<Factories, "find" | "list">;
  settings: readonly NotificationSetting[];
  store: NotificationStore;
  onEnded(outcome: MessageOutcome, count?: number): void;
  log: Log;
}

/** Tells those whom settings and definitions name that something needs a person. */
export interface Notifier
  extends Omit<RunningOutbox<NotificationTarget, SentEvent, NotificationContent>, "sendTest" | "wake"> {
  /** Sends a test to a target at once. @returns how it ended, as the outbox shows it */
  test(target: NotificationTarget): Promise<Notification>;
}

export type NotificationTarget = Target<NotificationEvent>;

const PAGE = 2_000;

/** Begins to follow the changes, and to send what waits from before the start. */
export function startNotifications(deps: NotifierDeps): Notifier {
  const { settings, store, factories, publicUrl } = deps;
  const {
    sendTest,
    wake: _,
    ...running
  } = startOutbox<NotificationTarget, SentEvent, NotificationContent, FollowedChanges>({
    ...deps,
    outbox: store,
    factories: factories.list(),
    targetsOf: (served) => listTargets(settings, served),
    page: PAGE,
    noun: "notification",
    startReading: (targets) => readChanges({ ...deps, targets }),
  });
  return {
    ...running,
    test: (target) =>
      sendTest(target, (at) => ({
        event: "test",
        at,
        summary: `Test of the notification target ${target.name}`,
        url: `${publicUrl()}/notifications`,
        factory: target.owner,
      })),
  };
}

export type NewNotification = NewMessage<SentEvent, NotificationContent>;

/** Something that goes on to fail, and was told of. */
interface Series {
  kind: "run" | "factory" | "webhook";
  /** What fails: an automation, a factory, a webhook. */
  subject: string;
}

/** A change that may have to be told, with what its run is now. */
export interface Cause {
  seq: number;
  kind: "run" | "factory" | "delivery" | "budget" | "hold";
  subject: string;
  factoryUid: string | null;
  webhookUid: string | null;
  status: string;
  at: string;
  run?: CauseRun;
  hold?: CauseHold;
}

/** The parts of a provider's hold that a notification contains. */
export type CauseHold = Pick<ProviderHold, "credential" | "model" | "until" | "reason">;

/** What is to be known of a run to tell of it. */
export interface CauseRun {
  state: string;
  title: string;
  automationUid: string | null;
  agentUid: string | null;
  scheduleId: string | null;
  message: string | null;
  /** The last question of its agent. */
  questionId: string | null;
}

/** The notifications of some changes, and which series of failures these begin and end. */
interface FollowedChanges extends Followed<SentEvent, NotificationContent> {
  opened: Series[];
  closed: Series[];
}

/** The outbox of notifications. */
export interface NotificationStore extends Outbox<SentEvent, NotificationContent, FollowedChanges> {
  listSeries(): Promise<Series[]>;
  /**
   * What may have to be told of the next changes, at most so many of which are looked at.
   * @param webhooks those whose accepted deliveries matter too
   */
  findCauses(
    after: number,
    webhooks: readonly string[],
    limit: number,
  ): Promise<{ causes: Cause[]; upTo: number }>;
}

const MAX_LINE = 200;
const MAX_DETAIL = 1_500;

/** Also what turns the direction of writing, with which a text looks like another. */
const UNSEEN = /[^\P{Cc}\n]|[\u200b-\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f\ufeff]/gu;

/** A text of others as one line of bounded length. */
export function line(text: string): string {
  return cut(text.replace(/\s+/g, " ").replace(UNSEEN, "").trim(), MAX_LINE);
}

/** A text of others with its lines, of bounded length. */
export function detail(text: string): string {
  return cut(text.replace(/\r\n?/g, "\n").replace(/\t/g, " ").replace(UNSEEN, "").trim(), MAX_DETAIL);
}

function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  // Half a character is none.
  return `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

interface DecideDeps {
  factories: Pick<Factories, "find">;
  deliveries: Pick<DeliveryStore, "findLatestOf">;
  publicUrl(): string;
  now(): Date;
}

/** Something to tell, and of what. */
interface News {
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

const keyOfSeries = ({ kind, subject }: Series) => `${kind}:${subject}`;

/**
 * Decides what is to be told of changes, in their order.
 * @param open the keys of the series that go on; brought up to date
 */
async function decide(causes: readonly Cause[], open: Set<string>, deps: DecideDeps): Promise<Decision> {
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
    else if (cause.kind === "hold") decision.news.push(...holdNews(cause, deps));
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

/** Once for each hold, however many runs wait for its end. */
function holdNews({ hold, factoryUid, seq, at }: Cause, { factories, publicUrl }: DecideDeps): News[] {
  // It has ended since.
  if (!hold) return [];
  const factory = findByUid(factoryUid, factories);
  const { uid, name } = factory?.record ?? {};
  const content: NotificationContent = {
    event: "provider.limit",
    at,
    summary: `Runs wait for the provider of a model until ${hold.until}${name === undefined ? "" : ` (factory ${name})`}`,
    url: publicUrl(),
    factory: uid === undefined || name === undefined ? null : { uid, name },
    detail: detail(`Credential ${hold.credential}, model ${hold.model}: ${hold.reason}`),
  };
  return [{ cause: `provider.limit:${seq}`, factory, factoryUid, runId: null, content }];
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

/**
 * Says of a factory, an agent or an automation that a limit of its day is used up.
 * @returns nothing when the definition does not have the limit any more
 */
function tellOfBudget(
  factory: Factory,
  { uid, limit }: { uid: string; limit: string },
  at: string,
  publicUrl: string,
): NotificationContent | undefined {
  const { record } = factory;
  const budget = runCaps([factory]).budgets[uid];
  const known = DAY_LIMITS.find((each) => each === limit);
  const most = known && budget?.[known];
  if (!budget || !known || most === undefined) return undefined;
  const { kind, name, onExhausted = "wait" } = budget;
  const of = kind === "factory" ? `factory ${name}` : `${kind} ${name} (factory ${record.name})`;
  const then = onExhausted === "wait" ? "Further runs wait." : "Further runs are not started.";
  return {
    event: "budget.reached",
    at,
    summary: `The budget of ${of} is used up`,
    url: `${publicUrl}/factories/${encodeURIComponent(record.name)}`,
    factory: { uid: record.uid, name: record.name },
    budget: { of: kind, name, limit: known, most },
    detail: `${dayLimitText(known, most)} ${then}`,
  };
}

const MAX_PROBLEMS = 5;

/** Says of a factory that its definition did not come into force. */
function tellOfFailedApply(
  { record: { uid, name, sync } }: Factory,
  at: string,
  publicUrl: string,
): NotificationContent {
  const errors = sync.problems.filter(({ severity }) => severity === "error");
  const shown = errors
    .slice(0, MAX_PROBLEMS)
    .map(({ path, line, message }) => `${path}${line === undefined ? "" : `:${line}`}: ${message}`);
  const more = errors.length > MAX_PROBLEMS ? [`and ${errors.length - MAX_PROBLEMS} more`] : [];
  const { attemptedRevision } = sync;
  return {
    event: "factory.failed",
    at,
    summary: `The definition of factory ${name} was not applied`,
    url: `${publicUrl}/factories/${encodeURIComponent(name)}/revisions`,
    factory: { uid, name },
    ...(attemptedRevision === null ? {} : { revision: attemptedRevision }),
    ...(shown.length === 0 ? {} : { detail: detail([...shown, ...more].join("\n")) }),
  };
}

/** Says of a webhook that it lets nobody in. */
function tellOfRefusals(
  { record: { uid, name } }: Factory,
  webhook: { uid: string; name: string },
  latest: readonly Pick<Delivery, "reason">[],
  at: string,
  publicUrl: string,
): NotificationContent {
  const reason = latest.find((delivery) => delivery.reason !== null)?.reason;
  return {
    event: "webhook.refusing",
    at,
    summary: `Webhook ${webhook.name} of factory ${name} rejects every delivery`,
    url: `${publicUrl}/factories/${encodeURIComponent(name)}/webhooks/${webhook.uid}`,
    factory: { uid, name },
    webhook,
    ...(reason === undefined || reason === null ? {} : { detail: detail(reason) }),
  };
}

/** What fails as one: an automation, else a schedule, else an agent of a factory. */
function runSeries({ factoryUid, run }: Cause): Series {
  const { automationUid, scheduleId, agentUid } = run ?? {};
  return { kind: "run", subject: automationUid ?? scheduleId ?? `${factoryUid ?? ""}/${agentUid ?? ""}` };
}

/** Says of a run that it needs a person, or that it failed. */
function tellOfRun(
  { subject, at }: Cause,
  run: CauseRun,
  event: "run.blocked" | "run.failed",
  factory: Factory | undefined,
  publicUrl: string,
): NotificationContent {
  const { uid, name } = factory?.record ?? {};
  const title = line(run.title);
  const nameOf = (kind: "automation" | "agent", of: string | null) =>
    factory?.active?.resources.find((each) => each.kind === kind && each.uid === of)?.name ?? null;
  const automation = nameOf("automation", run.automationUid);
  const what = event === "run.blocked" ? "A run is waiting for an answer" : "A run failed";
  const of = [automation && `automation ${automation}`, name && `factory ${name}`].filter(Boolean).join(", ");
  return {
    event,
    at,
    summary: of === "" ? what : `${what} (${of})`,
    url: `${publicUrl}/runs/${subject}`,
    factory: uid === undefined || name === undefined ? null : { uid, name },
    run: { id: subject, title, state: run.state, automation, agent: nameOf("agent", run.agentUid) },
    ...(run.message === null ? {} : { detail: detail(run.message) }),
  };
}

export interface ReadDeps extends DecideDeps {
  store: Pick<NotificationStore, "findCauses" | "listSeries">;
  targets(): readonly NotificationTarget[];
}

const MAX_OPEN_WEBHOOKS = 500;

/** Decides on changes with what is known of the series of failures that go on. */
async function readChanges(deps: ReadDeps): Promise<ChangeReader<FollowedChanges>> {
  const { store, targets, now } = deps;
  const open = new Set((await store.listSeries()).map(keyOfSeries));
  return {
    async read(after, limit) {
      const webhooks = [...open]
        .filter((key) => key.startsWith("webhook:"))
        .slice(0, MAX_OPEN_WEBHOOKS)
        .map((key) => key.slice("webhook:".length));
      const { causes, upTo } = await store.findCauses(after, webhooks, limit);
      const { news, opened, closed } = await decide(causes, open, deps);
      const at = now().toISOString();
      const messages = news.flatMap((each) => addressed(each, targets(), at));
      const isNews = messages.length > 0 || opened.length > 0 || closed.length > 0;
      return { upTo, isNews, messages, opened, closed };
    },
  };
}

/** One notification for each target that takes it. */
function addressed(
  { cause, factory, factoryUid, runId, content }: News,
  targets: readonly NotificationTarget[],
  at: string,
): NewNotification[] {
  const { event } = content;
  const of = factory && { ...factory.record, sourceName: factory.sourceName };
  return targets
    .filter((target) => event !== "test" && target.events.includes(event) && target.takes(of ?? null))
    .map((target) => messageFor(target, { cause, factoryUid, runId, event, content, at }));
}
