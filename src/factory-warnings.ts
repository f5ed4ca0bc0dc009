import { setTimeout as sleep } from "node:timers/promises";
import type { Config } from "./config/config.ts";
import { counted } from "./counted.ts";
import { inShell } from "./in-shell.ts";
import type { Log } from "./log.ts";
import type { Factories } from "./reconcile/factories.ts";
import type { FactoryStore } from "./reconcile/factory.ts";
import type { FactoryDeletionStore } from "./reconcile/factory-deletion.ts";

interface FactoryWarningParts {
  config: Pick<Config, "defaultFactory">;
  factories: Pick<Factories, "list" | "find">;
  store: {
    factories: Pick<FactoryStore, "list">;
    factoryDeletions: Pick<FactoryDeletionStore, "findContents">;
  };
  log: Log;
}

/** A source that cannot be reached keeps nobody from hearing of the factories. */
const LONGEST_WAIT_MS = 30_000;

/**
 * Says at a start what the factories are that nobody expects: several without a default, a default that is none of them,
 * and those that rest.
 * @param lookedAt resolves when each source was looked at: it may give its factory a name, or go on with one that rests
 * @returns what ends the wait for that, and resolves when nothing more is said
 */
export function warnOfFactories(lookedAt: Promise<void>, parts: FactoryWarningParts): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  warnOfSeveral(parts);
  const said = (async () => {
    await Promise.race([lookedAt, sleep(LONGEST_WAIT_MS, undefined, { signal, ref: false }).catch(() => {})]);
    if (signal.aborted) return;
    warnOfMissingDefault(parts);
    await warnOfResting(parts);
  })().catch(() => {});
  return () => {
    stopping.abort();
    return said;
  };
}

function warnOfSeveral({ config, factories, log }: FactoryWarningParts): void {
  if (config.defaultFactory !== undefined || factories.list().length < 2) return;
  log.warn(
    "There are several factories: runs that an unlimited key asks for without naming a factory or an agent belong to none, without " +
      "a foreman's prompt and secrets. Set MILLRACE_DEFAULT_FACTORY to the factory that they shall belong to",
  );
}

function warnOfMissingDefault({ config: { defaultFactory }, factories, log }: FactoryWarningParts): void {
  if (defaultFactory === undefined || factories.find(defaultFactory)) return;
  const names = factories.list().map(({ record }) => record.name);
  log.warn(
    { factories: names },
    `MILLRACE_DEFAULT_FACTORY names the factory ${JSON.stringify(defaultFactory)}, which is not there. Set it to the name or the ` +
      "uid of one that is",
  );
}

/** No source of this start is theirs, so nobody answers their senders. */
async function warnOfResting({ factories, store, log }: FactoryWarningParts): Promise<void> {
  const served = new Set(factories.list().map(({ record }) => record.uid));
  for (const { uid, name, source } of await store.factories.list()) {
    if (served.has(uid)) continue;
    const { webhooks, waitingRuns } = await store.factoryDeletions.findContents(uid);
    const place = "url" in source ? source.url : source.path;
    log.warn(
      { factory: name, source: place },
      `the factory "${name}" rests: the settings do not name its source. ${counted(webhooks.length, "webhook")} of it ` +
        `answer 404, and ${counted(waitingRuns, "run")} of it wait. Name ${place} again to serve it, or run ` +
        `\`millrace factories delete ${inShell(name)}\``,
    );
  }
}
