import { seldom } from "../../concurrency/shared-work.ts";
import type { Agent } from "../../definitions/definition.ts";
import { MillraceError } from "../../errors/error.ts";
import type { Spend, SpendGroup } from "../../insight/factory-metrics-store.ts";
import { type Frame, frameOf, type Period } from "../../insight/periods.ts";
import type { KeyStore } from "../../principals/principal.ts";
import type { Factories } from "../../reconcile/factories.ts";
import type { Factory, RunningFactory } from "../../reconcile/running-factory.ts";
import type { IdentityStore } from "../../runs/agents/agent-identity.ts";
import { DAY_MS } from "../../time/duration.ts";
import { instantIn } from "../../time/instant.ts";
import { findFactory } from "../factories/factories.ts";
import type { Called } from "../http/endpoint.ts";

/** What an answer says of itself beside its figures. */
type Common = "as_of" | "team_uid" | "factory_uid" | "period_list";
export type FiguresOf<Answer> = Omit<Answer, Common>;

/** What figures are asked for. */
export interface AskedFigures {
  factory: RunningFactory;
  uid: string;
  frame: Frame;
  /** When they are. */
  now: Date;
}

interface FiguresRequest extends Called {
  operation: string;
  path: { uid: string };
  query: AskedTime;
}

/** Figures over many runs take the reader some seconds. They are made in a twentieth of the time. */
const REST_FACTOR = 20;

/** Makes answers of figures, each with the time as of which it was made. */
export function figuresMaker({ factories, now }: { factories: Factories; now: () => Date }) {
  const rarely = seldom(REST_FACTOR, now);
  return {
    /** Finds out something of a factory, unless it was found out a little while ago. */
    known: <Found>(what: string, uid: string, find: () => Promise<Found>) =>
      rarely(JSON.stringify([what, uid]), async () => {
        const as_of = now().toISOString();
        return { ...commonOf(uid, as_of), found: await find() };
      }),
    async answer<Figures extends object>(
      request: FiguresRequest,
      figuresOf: (asked: AskedFigures) => Promise<Figures>,
    ) {
      const { operation, query } = request;
      const factory = findFactory(request, factories);
      const { uid } = factory.record;
      const json = await rarely(JSON.stringify([operation, uid, query]), async () => {
        const at = now();
        const frame = askedFrame(query, at);
        const figures = await figuresOf({ factory, uid, frame, now: at });
        // Figures out of what was known before are as of then.
        return { ...commonOf(uid, at.toISOString()), ...periodsOf(frame), ...figures };
      });
      return { json };
    },
  };
}

function commonOf(uid: string, as_of: string) {
  return { as_of, team_uid: "", factory_uid: uid };
}

function periodsOf({ division }: Frame): { period_list?: string[] } {
  return division ? { period_list: [...division.labels] } : {};
}

const DEFAULT_LENGTH_MS = 30 * DAY_MS;

interface AskedTime {
  start_date?: string;
  end_date?: string;
  group_by_period?: Period;
}

/** The time that a request asks figures of. @throws MillraceError `invalid_request` */
function askedFrame({ start_date, end_date, group_by_period }: AskedTime, now: Date): Frame {
  const to = Math.min(instantIn(end_date) ?? now.getTime(), MAX_INSTANT);
  const from = Math.min(instantIn(start_date) ?? to - DEFAULT_LENGTH_MS, MAX_INSTANT);
  if (from > to) {
    throw new MillraceError("invalid_request", "start_date is later than end_date.", {
      remedy: "Without end_date, the time ends now.",
      extra: { field: "start_date" },
    });
  }
  const span = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
  return frameOf(span, group_by_period);
}

/** Before the last year whose instants sort as texts: a period that begins before it may end in the next one. */
const MAX_INSTANT = Date.UTC(9_999, 0) - 1;

/** The type of an agent that no definition describes. */
const OTHER_TYPE = "CUSTOM";

/** What the keys of groups are called. */
export interface GroupNames {
  labelOf(key: string): string | null;
  isDeleted(key: string): boolean;
}

export interface GroupNameDeps {
  factories: Pick<Factories, "list">;
  keys: Pick<KeyStore, "list">;
  identities: Pick<IdentityStore, "list">;
}

const PLAIN: GroupNames = { labelOf: () => null, isDeleted: () => false };

export async function groupNames(by: SpendGroup, factory: Factory, deps: GroupNameDeps): Promise<GroupNames> {
  if (by !== "agent" && by !== "user") return PLAIN;
  const agents = agentsOf(factory);
  const own = new Map((await deps.identities.list()).map(({ uid, name }) => [uid, name]));
  // An agent of another factory may have started a run here.
  const live = new Set(deps.factories.list().flatMap((each) => agentsOf(each).live()));
  const isAgent = (uid: string) => own.has(uid) || live.has(uid);
  const labelOf = (uid: string) => agents.nameOf(uid) ?? own.get(uid) ?? null;
  if (by === "agent") return { labelOf, isDeleted: (uid) => !isAgent(uid) };
  const active = (await deps.keys.list()).filter(({ revokedAt }) => revokedAt === null);
  const users = new Set(active.map(({ principal }) => principal.uid));
  return { labelOf, isDeleted: (uid) => !users.has(uid) && !isAgent(uid) };
}

/** The agents of a definition, deleted ones too, which keep their uids. */
export function agentsOf({ active }: Pick<Factory, "active">) {
  const resources = (active?.resources ?? []).filter(({ kind }) => kind === "agent");
  const known = new Map(resources.map((resource) => [resource.uid, resource]));
  return {
    nameOf: (uid: string) => known.get(uid)?.name,
    /** The uids of those that are there. */
    live: () => resources.filter(({ deleted }) => !deleted).map(({ uid }) => uid),
    typeOf(uid: string): string {
      const resource = known.get(uid);
      return resource ? (JSON.parse(resource.body) as Agent).type : OTHER_TYPE;
    },
  };
}

/** Spend as the API shows it. Only models cost anything: machines and the server are the user's own. */
export function dollarsOf(spend: readonly Spend[]) {
  const inference = roundedUsd(spend.reduce((sum, { costUsd }) => sum + costUsd, 0));
  const unpriced = spend.reduce((sum, { unpricedTokens }) => sum + unpricedTokens, 0);
  return { inference, compute: 0, platform: 0, total: inference, unpriced_tokens: unpriced };
}

/** The mean spend of some things; nothing where there are none. */
export function meanUsd(spend: readonly Spend[]): number | null {
  return spend.length === 0 ? null : roundedUsd(dollarsOf(spend).inference / spend.length);
}

/** Without the noise of binary fractions: a millionth of a cent is less than any token costs. */
export const roundedUsd = (usd: number) => Math.round(usd * 1e8) / 1e8;
