import type { Models } from "../../client/typed-paths.ts";
import type { Webhook } from "../../definitions/definition.ts";
import type { DeliveryStore } from "../../ingress/delivery.ts";
import { REFUSED_IN_A_ROW, refusedInARow } from "../../ingress/refusal.ts";
import { pluralize } from "../../pluralize.ts";
import { reachesFactory } from "../../principals/principal.ts";
import type { Factories } from "../../reconcile/factories.ts";
import type { Factory } from "../../reconcile/running-factory.ts";
import { visibleTo } from "../../runs/caller.ts";
import { runCaps } from "../../runs/caps.ts";
import type { BlockedRun, Question } from "../../runs/rules/agent-report.ts";
import { type AwaitedDay, usedUpText } from "../../runs/rules/budget.ts";
import type { HoldStore, ProviderHold } from "../../runs/rules/provider-limit.ts";
import type { RunStore } from "../../runs/run-store.ts";
import { askedFactories } from "../factories/factories.ts";
import { type ApiRequest, type Endpoints, keyOf } from "../http/endpoint.ts";
import { type Cursors, pageOf } from "../http/page.ts";
import { webhookStatus, webhooksOf } from "../webhooks/webhooks.ts";

export interface InboxDeps {
  runs: Pick<RunStore, "listBlocked" | "listQuestions" | "listAwaitedDays">;
  deliveries: Pick<DeliveryStore, "findLatestOf">;
  holds: Pick<HoldStore, "list">;
  factories: Factories;
  cursors: Cursors;
  publicUrl: () => string;
  now: () => Date;
}

type Item = Models["InboxItem"];

/** So many questions wait at most: those of the runs that were created last. */
const MAX_QUESTIONS = 1_000;

/**
 * What waits for a person, newest first: what is new is at the top, and what was read stays in its order.
 * All of it is at hand at once: questions are read a page at a time, and all others are at most a few for each webhook, factory and
 * budget that is defined.
 */
export function inboxEndpoints(deps: InboxDeps) {
  return {
    listInbox: {
      async handle(request) {
        const asked = askedFactories(request, deps.factories);
        const [blocked, troubles, days, held] = await Promise.all([
          listBlocked(request, asked, deps),
          listTroubles(asked, deps),
          listDays(asked, deps),
          listHeld(request, asked, deps),
        ]);
        const all: Entry[] = [
          ...blocked.map(questionEntry),
          ...[...troubles, ...days, ...held].map(otherEntry),
        ];
        const { items, pageInfo } = pageOf(all, positionOf, request, deps.cursors);
        return { json: { items: await readItems(items, deps), page_info: pageInfo } };
      },
    },
  } satisfies Endpoints;
}

/** An item as lists sort it, whose question may not have been read yet. */
type Entry = Pick<Item, "id" | "since"> & ({ item: Item } | { run: BlockedRun });

const questionEntry = (run: BlockedRun): Entry => ({ id: idOf("question", run.id), since: run.since, run });
const otherEntry = (item: Item): Entry => ({ id: item.id, since: item.since, item });

/** Pages are sorted upwards, so the newest has the least number. */
function positionOf({ since, id }: Entry): string {
  return `${String(Number.MAX_SAFE_INTEGER - Date.parse(since))} ${id}`;
}

function listBlocked(
  { caller, query }: ApiRequest<"listInbox">,
  asked: readonly Factory[],
  { runs }: InboxDeps,
): Promise<BlockedRun[]> {
  const uids =
    query.factory === undefined ? visibleTo(caller).visibleTo : asked.map(({ record }) => record.uid);
  return runs.listBlocked(uids ?? null, MAX_QUESTIONS);
}

async function readItems(entries: readonly Entry[], deps: InboxDeps): Promise<Item[]> {
  const ids = entries.flatMap((each) => ("run" in each ? [each.run.id] : []));
  const questions = await deps.runs.listQuestions(ids);
  return entries.map((each) =>
    "item" in each ? each.item : questionItem(each.run, questions[each.run.id], deps),
  );
}

function questionItem(
  { id, title, since, message, factoryUid }: BlockedRun,
  question: Question | undefined,
  { factories, publicUrl }: InboxDeps,
): Item {
  const factory = factoryUid === null ? undefined : factories.find(factoryUid)?.record.name;
  return {
    id: idOf("question", id),
    kind: "question",
    since,
    title: title || `Run ${id}`,
    detail: question?.text || message || "The run waits for a person.",
    url: `${publicUrl()}/runs/${id}`,
    run_id: id,
    ...(factory === undefined ? {} : { factory }),
    ...(question ? { urgency: question.urgency } : {}),
  };
}

/** What is wrong with factories and with the senders of their webhooks. */
async function listTroubles(asked: readonly Factory[], deps: InboxDeps): Promise<Item[]> {
  const items = asked.flatMap((factory) => failedSync(factory, deps));
  const active: ActiveWebhook[] = [];
  for (const factory of asked) {
    for (const resource of webhooksOf(factory)) {
      const status = webhookStatus(resource, JSON.parse(resource.body) as Webhook, factory);
      const webhook = { factory: factory.record, uid: resource.uid, name: resource.name };
      if (status === "active") active.push(webhook);
      if (status === "awaiting_secret") items.push(awaitsSecret(webhook, resource.updatedAt, deps));
    }
  }
  return [...items, ...(await refusedSenders(active, deps))];
}

function failedSync({ record }: Factory, { publicUrl }: InboxDeps): Item[] {
  const { uid, name, sync, createdAt } = record;
  const item = {
    id: idOf("apply_failed", uid),
    kind: "apply_failed" as const,
    url: factoryUrl(publicUrl(), name, "revisions"),
    factory: name,
  };
  if (sync.status === "suspended") {
    const title = `${name} is suspended`;
    const detail = `New revisions of its source are not applied. Run \`millrace resume ${name}\` to sync again.`;
    return [{ ...item, since: sync.suspendedAt ?? createdAt, title, detail }];
  }
  if (sync.status !== "failed") return [];
  const errors = sync.problems.filter(({ severity }) => severity === "error");
  const what = sync.attemptedRevision?.slice(0, 10) ?? "its source";
  return [
    {
      ...item,
      since: sync.attemptedAt ?? createdAt,
      title: `${name} could not apply ${what}`,
      detail: firstOf(errors),
    },
  ];
}

function firstOf(errors: Factory["record"]["sync"]["problems"]): string {
  const [first, ...more] = errors;
  if (!first) return "The last sync failed.";
  const place = first.path === "" ? "" : `${first.path}:${first.line}: `;
  return `${place}${first.message}${more.length === 0 ? "" : ` (and ${pluralize(more.length, "more problem")})`}`;
}

/** A webhook that senders may use. */
interface ActiveWebhook {
  factory: Factory["record"];
  uid: string;
  name: string;
}

function senderItem({ factory, uid, name }: ActiveWebhook, { publicUrl }: InboxDeps) {
  return {
    id: idOf("sender_refused", uid),
    kind: "sender_refused" as const,
    title: `${name} is refused`,
    url: factoryUrl(publicUrl(), factory.name, "webhooks", uid),
    factory: factory.name,
  };
}

function awaitsSecret(webhook: ActiveWebhook, since: string, deps: InboxDeps): Item {
  const title = `${webhook.name} has no secret yet`;
  const detail = "Every delivery is rejected until the signing secret of the provider is entered.";
  return { ...senderItem(webhook, deps), since, title, detail };
}

async function refusedSenders(webhooks: readonly ActiveWebhook[], deps: InboxDeps): Promise<Item[]> {
  const { deliveries, now } = deps;
  const logged = (some: readonly ActiveWebhook[]) =>
    some.map(({ factory, uid }) => ({ factoryUid: factory.uid, uid }));
  // Most senders are let in: of those, one delivery is read.
  const newest = await deliveries.findLatestOf(logged(webhooks), 1);
  const suspects = webhooks.filter(({ uid }) => newest[uid]?.[0]?.outcome.startsWith("Rejected"));
  const latest = await deliveries.findLatestOf(logged(suspects), REFUSED_IN_A_ROW);
  return suspects.flatMap((webhook) => {
    const refused = refusedInARow(latest[webhook.uid] ?? [], now());
    const oldest = refused.at(-1);
    if (!oldest) return [];
    const detail = `The last ${refused.length} deliveries were rejected. The latest: ${refused[0]?.reason ?? "no reason recorded"}`;
    return [{ ...senderItem(webhook, deps), since: oldest.time, detail }];
  });
}

async function listDays(asked: readonly Factory[], { runs, publicUrl, now }: InboxDeps): Promise<Item[]> {
  const { budgets } = runCaps(asked);
  const days =
    Object.keys(budgets).length === 0 ? [] : await runs.listAwaitedDays(budgets, now().toISOString());
  const nameOf = new Map(asked.map(({ record }) => [record.uid, record.name]));
  return days.flatMap((each) => {
    const factory = each.factoryUid === null ? undefined : nameOf.get(each.factoryUid);
    return factory === undefined ? [] : [budgetItem(each, factory, publicUrl())];
  });
}

function budgetItem({ day, since, opensAt }: AwaitedDay, factory: string, publicUrl: string): Item {
  const { owner } = day;
  const opens = opensAt === null ? "" : ` Runs can start again at ${opensAt}.`;
  return {
    id: idOf("budget", owner.uid),
    kind: "budget",
    since,
    title: `The budget of the ${owner.kind} ${owner.name} is used up`,
    detail: `${usedUpText(day)} Runs wait.${opens}`,
    url:
      owner.kind === "automation"
        ? factoryUrl(publicUrl, factory, "automations", owner.name)
        : `${publicUrl}/usage`,
    factory,
  };
}

/** What runs of no factory wait for, and those of all, is for who sees everything. */
async function listHeld(
  request: ApiRequest<"listInbox">,
  asked: readonly Factory[],
  { holds, factories, publicUrl }: InboxDeps,
): Promise<Item[]> {
  const key = keyOf(request);
  const seen = ({ factoryUid }: ProviderHold) =>
    request.query.factory === undefined
      ? reachesFactory(key, factoryUid)
      : asked.some(({ record }) => record.uid === factoryUid);
  const url = `${publicUrl()}/runs?state=QUEUED`;
  return (await holds.list()).filter(seen).map(({ id, since, model, reason, until, factoryUid }) => {
    const factory = factoryUid === null ? undefined : factories.find(factoryUid)?.record.name;
    return {
      id: idOf("held", id),
      kind: "held",
      since,
      title: `Runs wait for the provider of the model ${model}`,
      detail: `${reason || "The provider refuses more for now."} A run asks it again at ${until}. To start the runs now: \`millrace holds end ${id}\`.`,
      url,
      ...(factory === undefined ? {} : { factory }),
    };
  });
}

function idOf(kind: Item["kind"], subject: string): string {
  return `${kind}:${subject}`;
}

function factoryUrl(publicUrl: string, ...path: string[]): string {
  return `${publicUrl}/factories/${path.map(encodeURIComponent).join("/")}`;
}
