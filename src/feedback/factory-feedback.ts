import { setTimeout as sleep } from "node:timers/promises";
import { untilAborted } from "../concurrency/promises.ts";
import type { Leadership } from "../concurrency/rounds.ts";
import { waitAfter } from "../concurrency/rounds.ts";
import { createWorkQueue, type Failures } from "../concurrency/work-queue.ts";
import { type Problem, treeProblem } from "../definitions/problem.ts";
import { errorMessage, MillraceError } from "../errors/error.ts";
import { type CheckSubject, ForgeError, type RepositoryForge } from "../forge/repository-forge.ts";
import { newUuid } from "../id.ts";
import type { Log } from "../log.ts";
import type { Planner } from "../plans/planner.ts";
import type { Factories } from "../reconcile/factories.ts";
import type { FactoryStore } from "../reconcile/factory.ts";
import type { Factory } from "../reconcile/running-factory.ts";
import { checkPullRequest } from "./check-pull-request.ts";
import type { CheckRequest, Feedback, FeedbackOutcome, FeedbackStore } from "./feedback.ts";
import { reportCommitStatus } from "./report-commit-status.ts";

interface FeedbackDeps {
  store: FeedbackStore;
  revisions: Pick<FactoryStore, "listRevisions">;
  planner: Planner;
  leadership: Leadership;
  onEnded(outcome: FeedbackOutcome): void;
  log: Log;
  now: () => Date;
}

/** What one factory has to tell its forge. */
interface FactoryFeedback {
  ask(subject: CheckSubject): Promise<void>;
  /** Looks for what was asked for, and what became of commits, at other servers. */
  look(): void;
  passed(): void;
  notices(): Problem[];
  readonly waiting: number;
  ended(): Promise<void>;
}

/** What was asked for before this start. */
const STORED = "stored";
/** Pull requests that nobody has told of: hooks that came while no server was there. */
const OPEN = "open";
/** The production commit. */
const COMMIT = "commit";

/** Servers that failed together do not come back together. */
const RETRY = { firstMs: 1_000, mostMs: 5 * 60_000, spread: 0.1 };
/** An outage of a forge passes within hours; after a day, somebody has to ask again. */
const GIVEN_UP_AFTER_MS = 24 * 60 * 60_000;
/** As many pull requests as a page of the forge has. */
const FULL_PAGE = 100;

/** Tells the forge of one factory one thing after the other, and again after a while what could not be told. */
function openFactoryFeedback(
  factory: Factory,
  forge: RepositoryForge,
  signal: AbortSignal,
  deps: FeedbackDeps,
): FactoryFeedback {
  const { store, leadership, log, now } = deps;
  /** What keeps which work from being done. */
  const troubles = new Map<string, { message: string; isGivenUp: boolean }>();
  let leftAloneUntil = 0;
  /** How the factory stood when this was looked at last. */
  let lastSeen = "";
  /** The request that is worked on, or was when it failed. */
  let current: CheckRequest | undefined;

  const queue = createWorkQueue({
    signal,
    async work(key, failures) {
      // What was asked for is stored: the leading server does it.
      if (!leadership.isLeader()) {
        lastSeen = "";
        return;
      }
      await sleep(Math.max(0, leftAloneUntil - performance.now()), undefined, { signal, ref: false });
      await untilAborted(workOn(key, failures), signal);
      overcome(key);
      deps.onEnded("done");
    },
    onFailure,
  });

  async function workOn(key: string, failures: number): Promise<void> {
    current = undefined;
    if (key === STORED) return addStored();
    if (key === COMMIT) return reportCommitStatus({ ...deps, forge, factory });
    if (key === OPEN) return askForOpen();
    current = (await store.listRequests(forge.key)).find(({ subject }) => keyOf(subject) === key);
    if (!current) return;
    for (const number of await numbersOf(current.subject)) {
      const head = await checkPullRequest(number, failures, { forge, factory, planner: deps.planner });
      if (head !== undefined) await store.recordChecked(forge.key, number, head);
    }
    await store.settle(forge.key, current);
  }

  async function numbersOf(subject: CheckSubject): Promise<number[]> {
    if ("pullRequest" in subject) return [subject.pullRequest];
    return (await openOnes()).filter(({ head }) => head === subject.head).map(({ number }) => number);
  }

  async function askForOpen(): Promise<void> {
    const open = await openOnes();
    const checked = await store.listChecked(forge.key);
    for (const { number, head } of open) if (checked[number] !== head) await ask({ pullRequest: number });
    const numbers = open.map(({ number }) => number);
    if (open.length < FULL_PAGE) await store.keepChecked(forge.key, numbers);
  }

  async function openOnes() {
    const { source } = factory.record;
    return "branch" in source ? forge.listPullRequests(source.branch) : [];
  }

  async function ask(subject: CheckSubject): Promise<void> {
    const request = { subject, ticket: newUuid() };
    if (!(await store.ask(forge.key, request, now().toISOString()))) throw tooMany();
    queue.add(keyOf(subject));
  }

  function onFailure(key: string, error: unknown, { count, forMs }: Failures): number | undefined {
    const forgeError = error instanceof ForgeError ? error : undefined;
    const isHopeless = forgeError?.status === 422 || forMs > GIVEN_UP_AFTER_MS;
    const delay = isHopeless ? undefined : Math.max(forgeError?.retryAfterMs ?? 0, waitAfter(count, RETRY));
    if (forgeError?.retryAfterMs !== undefined) leftAloneUntil = performance.now() + forgeError.retryAfterMs;
    const message = forgeError?.message ?? "Internal server error; see the server's log.";
    troubles.set(key, { message, isGivenUp: delay === undefined });
    const about = { factory: factory.record.name, subject: key, error: errorMessage(error) };
    if (delay === undefined) log.error(about, "reporting to the forge failed; giving up");
    else log.warn({ ...about, retry_in_ms: Math.round(delay) }, "reporting to the forge failed; retrying");
    deps.onEnded(delay === undefined ? "given_up" : "postponed");
    if (delay === undefined) forget();
    return delay;
  }

  /** What nobody tries again is told until something else goes well; the log keeps it. */
  function overcome(done: string): void {
    for (const [key, { isGivenUp }] of troubles) if (isGivenUp || key === done) troubles.delete(key);
  }

  /** What was asked for anew meanwhile stays; what a failing store keeps comes back with the next start. */
  function forget(): void {
    if (current) store.settle(forge.key, current).catch(() => {});
  }

  async function addStored(): Promise<void> {
    for (const { subject } of await store.listRequests(forge.key)) queue.ensure(keyOf(subject));
  }
  const lookAtAll = () => [STORED, OPEN, COMMIT].forEach(queue.add);
  lookAtAll();
  leadership.onLeading(lookAtAll);

  return {
    ask,
    look() {
      queue.ensure(STORED);
      const { sync } = factory.record;
      const seen = JSON.stringify(sync);
      if (seen !== lastSeen) queue.add(COMMIT);
      lastSeen = seen;
    },
    passed: () => queue.add(COMMIT),
    notices: () =>
      [...new Set([...troubles.values()].map(({ message }) => message))].map((message) =>
        treeProblem("FEEDBACK_FAILED", `${forge.repository}: ${message}`, "notice"),
      ),
    get waiting() {
      return queue.waiting;
    },
    ended: queue.ended,
  };
}

function keyOf(subject: CheckSubject): string {
  return "head" in subject ? `head:${subject.head}` : `pull:${subject.pullRequest}`;
}

function tooMany(): MillraceError {
  return new MillraceError("service_unavailable", "Too many pull requests are waiting to be checked.", {
    remedy: "Redeliver the hook later; the server's log shows the cause.",
    retryAfter: 60,
  });
}

/** Tells the forges of those factories that have one, each apart from the others: one that is down delays nobody else. */
export function startFeedback(
  factories: Pick<Factories, "list">,
  deps: FeedbackDeps,
  stopping: AbortController,
): Feedback {
  const opened = factories.list().flatMap((factory): { uid: () => string; desk: FactoryFeedback }[] => {
    const { forge } = factory;
    if (!forge) return [];
    const desk = openFactoryFeedback(factory, forge, stopping.signal, deps);
    // A factory that takes another over goes on under that one's uid.
    return [{ uid: () => factory.record.uid, desk }];
  });
  const find = (factoryUid: string) => opened.find(({ uid }) => uid() === factoryUid)?.desk;
  return {
    ask: async (factoryUid, subject) => find(factoryUid)?.ask(subject),
    passed: (factoryUid) => find(factoryUid)?.passed(),
    noticesOf: (factoryUid) => find(factoryUid)?.notices() ?? [],
    look() {
      for (const { desk } of opened) desk.look();
    },
    waiting: () => opened.reduce((sum, { desk }) => sum + desk.waiting, 0),
    async stop() {
      stopping.abort();
      await Promise.all(opened.map(({ desk }) => desk.ended()));
    },
  };
}
