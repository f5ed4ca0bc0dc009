import type { Models } from "../../client/typed-paths.ts";
import type { ApiKey } from "../../principals/principal.ts";
import { successRate } from "../../runs/rules/success-rate.ts";
import type { RunSummary } from "../../runs/run-query.ts";
import { reachesFactory } from "../http/authorize.ts";

const NONE: Omit<RunSummary, "uid"> = { last: null, succeeded: 0, failed: 0, cancelled: 0 };

/** How the runs of something went. A last run that the key does not reach is left out. */
export function runSummaryView(summary: RunSummary | undefined, key: ApiKey): Models["RunSummary"] {
  const { last, succeeded, failed, cancelled } = summary ?? NONE;
  return {
    last_run:
      last && reachesFactory(key, last.factoryUid)
        ? {
            run_id: last.id,
            title: last.title,
            state: last.state,
            created_at: last.createdAt,
            finished_at: last.finishedAt,
            delivery_id: last.deliveryId,
            webhook_uid: last.webhookUid,
            pull_request_url: last.pullRequestUrl,
          }
        : null,
    ended_runs: { succeeded, failed, cancelled },
    success_rate: successRate({ succeeded, failed }),
  };
}
