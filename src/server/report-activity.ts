import type { ChangeRecord, ChangeStore } from "../changes/log.ts";
import type { CommitSignal } from "../concurrency/rounds.ts";
import { errorMessage } from "../errors/error.ts";
import type { Log } from "../log.ts";
import { pluralize } from "../pluralize.ts";
import type { Factories } from "../reconcile/factories.ts";
import { hasEnded, type RunState } from "../runs/rules/state.ts";
import type { Run } from "../runs/run.ts";
import type { RunStore } from "../runs/run-store.ts";

interface ActivityDeps {
  changes: Pick<ChangeStore, "listAfter" | "findRange">;
  runs: Pick<RunStore, "find">;
  factories: Pick<Factories, "find">;
  commits: CommitSignal;
  log: Log;
}

const PAGE = 200;
const LOOK_EVERY_MS = 5_000;

/**
 * Logs deliveries, the runs that they start, and how these end, for a person who watches. It reads the change log, so that
 * the ingress does no more work than without it. @returns what ends it
 */
export function reportActivity({
  changes,
  runs,
  factories,
  commits,
  log,
}: ActivityDeps): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;

  async function report({ kind, subject, factoryUid, webhookUid, status }: ChangeRecord): Promise<void> {
    if (kind === "delivery") {
      const active = factories.find(factoryUid ?? "")?.active;
      const webhook = active?.webhooks.find(({ uid }) => uid === webhookUid)?.webhook.name ?? webhookUid;
      log.info({ delivery: subject, webhook, outcome: status }, "delivery");
    } else if (kind === "run" && isTold(status as RunState)) {
      const run = await runs.find(subject);
      if (!run) return;
      const isTalking = hasEnded(status as RunState) || status === "BLOCKED";
      const why = isTalking ? run.statusMessage?.message : waitText(run);
      log.info({ run: subject, delivery: run.deliveryId, title: run.title, state: status, why }, "run");
    }
  }

  async function follow(): Promise<void> {
    let { last: after } = await changes.findRange();
    while (!signal.aborted) {
      const page = await changes.listAfter(after, PAGE);
      for (const change of page) {
        await report(change);
        after = change.seq;
      }
      if (page.length < PAGE) await commits.next(LOOK_EVERY_MS, signal);
    }
  }

  const following = follow().catch((error) => {
    if (!signal.aborted) log.warn({ error: errorMessage(error) }, "activity is no longer logged");
  });
  return () => {
    stopping.abort();
    return following;
  };
}

/** For how many runs one waits whose agent has ended. */
function waitText({ isLeased, waitingFor }: Run): string | undefined {
  return isLeased || !waitingFor ? undefined : `waiting for ${pluralize(waitingFor.length, "run")}`;
}

/** Its start, its question and its end: not each step between them. */
function isTold(state: RunState): boolean {
  return state === "QUEUED" || state === "INPROGRESS" || state === "BLOCKED" || hasEnded(state);
}
