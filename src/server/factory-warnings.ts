import { setTimeout as sleep } from "node:timers/promises";
import type { Config } from "../config/config.ts";
import { agentNotice } from "../executor/harness/harness.ts";
import type { Log } from "../log.ts";
import type { Factories } from "../reconcile/factories.ts";
import type { FactoryDeletionStore, FactoryStore } from "../reconcile/factory.ts";
import { effectOfRest, findResting, remedyOfRest } from "../reconcile/resting.ts";
import type { DefaultFactory } from "../runs/start/agent-of-run.ts";

interface FactoryWarningDeps {
  config: Parameters<typeof agentNotice>[0] & Pick<Config, "shares">;
  factories: Pick<Factories, "list">;
  defaultFactory: DefaultFactory;
  store: {
    factories: Pick<FactoryStore, "list">;
    factoryDeletions: Pick<FactoryDeletionStore, "findContents">;
  };
  log: Log;
}

/** A source that cannot be reached keeps no one from hearing of the factories. */
const MAX_WAIT_MS = 30_000;

/**
 * Says at a start what the factories are that no one expects: several without a default, a default that is none of them,
 * shares of none of them, those that rest, and those whose agents have no program.
 * @param lookedAt resolves when each source was looked at: it may give its factory a name, or go on with one that rests
 * @returns what ends the wait for that, and resolves when nothing more is said
 */
export function warnOfFactories(lookedAt: Promise<void>, deps: FactoryWarningDeps): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  warnOfSeveral(deps);
  const said = (async () => {
    await Promise.race([lookedAt, sleep(MAX_WAIT_MS, undefined, { signal, ref: false }).catch(() => {})]);
    if (signal.aborted) return;
    const withoutAgent = agentNotice(deps.config, deps.factories.list());
    if (withoutAgent) deps.log.warn(withoutAgent);
    await warnOfMissingDefault(deps);
    warnOfMissingShares(deps);
    await warnOfResting(deps);
  })().catch(() => {});
  return () => {
    stopping.abort();
    return said;
  };
}

function warnOfSeveral({ defaultFactory, factories, log }: FactoryWarningDeps): void {
  if (defaultFactory.name !== undefined || factories.list().length < 2) return;
  log.warn(
    "There are several factories: runs that an unlimited API key creates without a factory or an agent belong to no factory, without " +
      "a foreman's prompt and secrets. Set MILLRACE_DEFAULT_FACTORY to the factory that they should belong to",
  );
}

/** Looking it up binds the name, before a definition can take it. */
async function warnOfMissingDefault({ defaultFactory, factories, log }: FactoryWarningDeps): Promise<void> {
  if (defaultFactory.name === undefined || (await defaultFactory.find())) return;
  const names = factories.list().map(({ record }) => record.name);
  log.warn(
    { factories: names },
    `MILLRACE_DEFAULT_FACTORY is set to ${JSON.stringify(defaultFactory.name)}, but this factory does not exist: a name always refers to the ` +
      "factory that had it first. Set it to the UID of an existing factory",
  );
}

function warnOfMissingShares({ config: { shares = {} }, factories, log }: FactoryWarningDeps): void {
  const names = factories.list().map(({ record }) => record.name);
  const unknown = Object.keys(shares).filter((name) => !names.includes(name));
  if (unknown.length === 0) return;
  log.warn(
    { shares: unknown, factories: names },
    "shares: in millrace.yaml names factories that do not exist, so these shares have no effect. Change the names to those of existing factories, or remove them",
  );
}

/** No source of this start is theirs, so no one answers their senders. */
async function warnOfResting({ factories, store, log }: FactoryWarningDeps): Promise<void> {
  const isServed = (uid: string) => factories.list().some(({ record }) => record.uid === uid);
  for (const resting of await findResting(isServed, store)) {
    const { name, source } = resting.record;
    log.warn(
      { factory: name, source: "url" in source ? source.url : source.path },
      `factory "${name}" is resting: its source is not configured. ${effectOfRest(resting)} ${remedyOfRest(resting.record)}`,
    );
  }
}
