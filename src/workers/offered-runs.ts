import type { RunCaps } from "../runs/caps.ts";
import { type ClaimReach, DEFAULT_PLACEMENT, demandsOf } from "../runs/rules/placement.ts";
import type { RunStarter } from "../runs/rules/waiting.ts";
import type { Run } from "../runs/run.ts";
import type { RunStore } from "../runs/run-store.ts";
import { type NeedsDeps, needsOf } from "../runs/turn/needs.ts";
import type { KnownOffer, Offer, OfferState, OffersAnswer, OffersRequest } from "./protocol/offer.ts";

export interface OfferedRunsDeps {
  store: Pick<RunStore, "find" | "listClaimable">;
  needs: NeedsDeps;
  caps: () => RunCaps;
  /** For how long nobody else is offered a run after its process was heard of. */
  keepMs: number;
  now: () => Date;
  /** By which leases are judged, and what nobody else is offered. */
  leaseNow: () => Date;
}

/** Who asks for offers. */
export interface OfferTaker {
  /** The process, as its leases are marked. */
  holder: string;
  /** The name of its worker. */
  name: string;
  /** Whether it could have a run: of others it hears nothing. */
  mayHave(run: Pick<Run, "placement" | "factoryUid">): boolean;
}

/** The waiting runs that processes start elsewhere, and which of them they have taken up. It is known in memory only. */
export interface OfferedRuns {
  /** @param reach what the process is offered; nothing for one that gets no new runs */
  look(taker: OfferTaker, request: OffersRequest, reach: ClaimReach | undefined): Promise<OffersAnswer>;
  /** Forgets what a process has taken up that it does not name any more. */
  keepOnly(holder: string, known: readonly Pick<KnownOffer, "id">[]): void;
  /** How a run stands, or a turn of it. */
  stateOf(taker: Pick<OfferTaker, "mayHave">, id: string, turn?: number): Promise<OfferState>;
  /** Who makes a machine for a waiting run. */
  starterOf(runId: string): RunStarter | undefined;
}

interface Taken {
  holder: string;
  worker: string;
  until: number;
  reason?: string;
  isGivenUp?: boolean;
}

/** So many are looked up at a time: each takes finding what its run needs. */
const MAX_AT_ONCE = 100;
/** The number of rows that a statement names has a limit. */
const MAX_LOOKED_AT = 10_000;
const MAX_REASON = 300;

export function createOfferedRuns({
  store,
  needs,
  caps,
  keepMs,
  now,
  leaseNow,
}: OfferedRunsDeps): OfferedRuns {
  const taken = new Map<string, Taken>();

  function findTaken(runId: string): Taken | undefined {
    const found = taken.get(runId);
    if (!found || found.until > leaseNow().getTime()) return found;
    taken.delete(runId);
    return undefined;
  }

  function isOthers(runId: string, { holder }: OfferTaker): boolean {
    const found = findTaken(runId);
    return found !== undefined && found.holder !== holder && !found.isGivenUp;
  }

  function take({ holder, name }: OfferTaker, { id, reason, isGivenUp }: Partial<KnownOffer>): void {
    if (id === undefined) return;
    const until = leaseNow().getTime() + keepMs;
    const more = { ...(reason ? { reason: oneLine(reason) } : {}), ...(isGivenUp ? { isGivenUp } : {}) };
    taken.set(id, { holder, worker: name, until, ...more });
  }

  async function offerOf(run: Run): Promise<Offer> {
    const found = await needsOf(run, needs);
    const machine = "missing" in found ? {} : found.machine;
    const active = run.factoryUid === null ? undefined : needs.activeOf(run.factoryUid);
    return {
      id: run.id,
      turn: run.turn,
      factory: active?.definition.factory.name ?? null,
      workerHost: run.placement === DEFAULT_PLACEMENT ? "" : demandsOf(run.placement).host,
      platform: machine.platform ?? null,
      shape: machine.shape ?? null,
      image: machine.image ?? null,
      waitingSince: run.updatedAt,
    };
  }

  async function findNew(
    taker: OfferTaker,
    { free, known }: OffersRequest,
    reach: ClaimReach,
  ): Promise<Offer[]> {
    const keyOf = ({ id, turn }: { id: string; turn: number }) => `${id}-${turn}`;
    const has = new Set(known.map(keyOf));
    const wanted = Math.min(free, MAX_AT_ONCE);
    // What is known, and what others have taken up, may be older.
    const limit = Math.min(MAX_LOOKED_AT, wanted + known.length + taken.size);
    const runs = await store.listClaimable(limit, now().toISOString(), caps(), reach);
    const left = runs.filter((run) => !has.has(keyOf(run)) && !isOthers(run.id, taker));
    const chosen = left.slice(0, wanted);
    // Nothing waits between the look and this: another process that asks meanwhile would be offered the same runs.
    for (const { id } of chosen) take(taker, { id });
    return Promise.all(chosen.map(offerOf));
  }

  async function stateOf(
    { mayHave }: Pick<OfferTaker, "mayHave">,
    id: string,
    turn?: number,
  ): Promise<OfferState> {
    const run = await store.find(id);
    if (!run || !mayHave(run) || (turn !== undefined && run.turn !== turn)) return "over";
    if (run.state === "QUEUED") return "waiting";
    return run.isLeased ? "executing" : "over";
  }

  async function hear(taker: OfferTaker, offer: KnownOffer): Promise<OffersAnswer["known"][number]> {
    const { id, turn } = offer;
    // A turn that is over stays so: a worker that names many of them costs nothing.
    if (offer.state === "over") return { id, turn, state: "over" };
    const state = await stateOf(taker, id, turn);
    if (state === "waiting" && !isOthers(id, taker)) take(taker, offer);
    return { id, turn, state };
  }

  return {
    stateOf,
    async look(taker, request, reach) {
      const known = await Promise.all(request.known.map((offer) => hear(taker, offer)));
      const offers = reach && request.free > 0 ? await findNew(taker, request, reach) : [];
      return { offers, known };
    },
    keepOnly(holder, known) {
      const named = new Set(known.map(({ id }) => id));
      const instant = leaseNow().getTime();
      for (const [id, of] of taken)
        if (of.until <= instant || (of.holder === holder && !named.has(id))) taken.delete(id);
    },
    starterOf(runId) {
      const found = findTaken(runId);
      if (!found) return undefined;
      const { worker, reason, isGivenUp = false } = found;
      return { worker, isGivenUp, ...(reason === undefined ? {} : { reason }) };
    },
  };
}

/** It is shown to people: a worker must not choose its size or move their cursor. */
function oneLine(text: string): string {
  const line = text.replace(/[\s\p{Cc}]+/gu, " ").trim();
  return line.length > MAX_REASON ? `${line.slice(0, MAX_REASON - 1)}…` : line;
}
