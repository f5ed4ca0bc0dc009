import { waitAfter } from "../../concurrency/rounds.ts";
import { DAY_MS } from "../../time/duration.ts";
import type { RunExecution } from "../run-config.ts";

/** Why a turn ended that its model's provider did not let go on. */
export interface ProviderLimit {
  /** `limit` where the provider says that too much was asked of it, `unavailable` where it does not answer as it should. */
  kind: "limit" | "unavailable";
  /** When the provider answers again, where it says so. */
  until?: string;
  /** What the provider has said, a sentence. */
  reason: string;
  /** A program of the run can write anything; what the proxy has seen came from the provider. */
  seenBy: "output" | "proxy";
}

/** What runs ask their models with: a credential, and the models in the order in which they are tried. */
export interface RunProvider {
  credential: string;
  models: readonly string[];
}

/** Runs of a credential and a model wait until an instant. */
export interface ProviderHold {
  id: string;
  /** Whose runs wait; null for runs of no factory, and for those of all. */
  factoryUid: string | null;
  /** Whether the runs of every factory with this credential wait. */
  isShared: boolean;
  credential: string;
  model: string;
  kind: ProviderLimit["kind"];
  reason: string;
  since: string;
  /** When the newest turn has ended that counts. */
  hitAt: string;
  /** How often in a row the provider has refused. */
  hits: number;
  until: string;
  /** The only run that may ask the provider after the end of the hold, before all others do. */
  probeRun: string | null;
}

/** Keeps the holds of providers. `find` and `list` read, the rest writes; each call is one transaction. */
export interface HoldStore {
  list(): Promise<ProviderHold[]>;
  /** Ends a hold before its time. @returns whether there was one */
  end(id: string, at: string): Promise<boolean>;
  /** Lets runs go whose hold is over, at most so many. @returns how many */
  release(at: string, limit: number): Promise<number>;
  /** When there is something to release next. */
  findNextEnd(): Promise<string | undefined>;
}

/** What a run asks its models with. Of a program that uses its own login or a granted key, nothing more is known. */
export function providerOf({ harness }: Pick<RunExecution, "harness">): RunProvider {
  const { type, model = DEFAULT_MODEL, fallbackModels = [], auth } = harness;
  const credential =
    auth?.source === "managedSecret"
      ? `secret:${auth.secretName}`
      : auth?.source === "workerEnvironment"
        ? `environment:${type}`
        : `harness:${type}`;
  return { credential, models: [...new Set([model, ...fallbackModels])] };
}

/** The model that a program chooses itself. */
export const DEFAULT_MODEL = "default";

/** A secret has one value wherever it is used. Nothing is known of what other credentials of one name have in common. */
export function isSharedCredential(credential: string): boolean {
  return credential.startsWith("secret:") || credential.startsWith("environment:");
}

/** A run, as far as holds look at it. */
export interface HeldRun {
  id: string;
  factoryUid: string | null;
  provider: RunProvider;
}

/** The first model of a run that no hold keeps it from; or the hold that ends first. */
export function modelFor(
  { id, factoryUid, provider: { credential, models } }: HeldRun,
  holds: readonly ProviderHold[],
): { model: string } | { hold: ProviderHold } {
  const own = holds.filter(
    (hold) =>
      hold.credential === credential &&
      (hold.isShared || hold.factoryUid === factoryUid) &&
      hold.probeRun !== id,
  );
  let first: ProviderHold | undefined;
  for (const model of models) {
    const [hold] = own.filter((each) => each.model === model).sort((a, b) => (a.until > b.until ? -1 : 1));
    if (!hold) return { model };
    if (!first || hold.until < first.until) first = hold;
  }
  return first ? { hold: first } : { model: DEFAULT_MODEL };
}

/** The limits of a week end within this. */
export const MAX_HOLD_MS = 8 * DAY_MS;
/** How long a hold is whose end is not known. */
const GUESS = { firstMs: 60_000, mostMs: 30 * 60_000 };
const SHORTEST_HOLD_MS = 1_000;
/** For how long all others wait for the run that asks first. */
export const PROBE_MS = 5 * 60_000;

/** When a hold ends. @param hits how often in a row the provider has refused, this time counted in */
export function holdEnd({ until }: Pick<ProviderLimit, "until">, hits: number, at: string): string {
  const now = Date.parse(at);
  const statedMs = until === undefined ? 0 : Math.max(0, Date.parse(until) - now) || 0;
  // A provider that refuses again at the time that it has said is asked less and less often.
  const guesses = statedMs > 0 ? hits - 1 : hits;
  const ms = Math.max(statedMs, guesses > 0 ? waitAfter(guesses, GUESS) : 0, SHORTEST_HOLD_MS);
  return new Date(now + Math.min(ms, MAX_HOLD_MS)).toISOString();
}

/** How often a run is tried again whose provider did not answer as it should. */
export const MAX_RETRIES = 3;
/** How often a run waits for the end of a limit: a program that prints the text of one would wait for ever. */
export const MAX_LIMITED_TURNS = 50;

/** What the next turn of a run begins with whose last one was cut short. */
export function goOnMessage({ reason }: Pick<ProviderLimit, "reason">): string {
  return `[millrace: The previous turn was interrupted by the provider of the model (${reason.replace(/\.$/, "")}). Continue the request from where it was interrupted; do not repeat what is already done.]`;
}

/** Why a run has failed that was tried again too often. */
export function gaveUpMessage({ kind, reason }: Pick<ProviderLimit, "kind" | "reason">): string {
  const said = reason.replace(/\.$/, "");
  return kind === "unavailable"
    ? `The provider of the model was not available after ${MAX_RETRIES} retries: ${said}. Send a follow-up to start another turn.`
    : `The provider of the model refused ${MAX_LIMITED_TURNS} turns of this run: ${said}. Send a follow-up to start another turn.`;
}
