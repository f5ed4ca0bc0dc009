import type { Models } from "../../client/typed-paths.ts";
import {
  cycleTimeOf,
  type FactoryPullRequest,
  hasHumanCode,
  humanInteractions,
  kickoffOf,
  type PullRequestCost,
} from "../../insight/factory-pull-requests.ts";
import { creatorInfo } from "../runs/run-item.ts";
import { dollarsOf, roundedUsd } from "./dollars.ts";

/** A program can name as many models as it likes. */
const MAX_MODELS = 100;

/** A pull request that runs have reported, as the API shows it. */
export function pullRequestView(record: FactoryPullRequest, factoryUid: string): Models["PullRequest"] {
  const { snapshot } = record;
  return {
    provider: record.provider,
    repo_full_name: record.repository,
    pr_number: record.number,
    url: record.url,
    title: record.title,
    author_login: snapshot?.author ?? null,
    factory_uid: factoryUid,
    team_uid: "",
    state: snapshot?.state ?? null,
    opened_at: snapshot?.openedAt ?? null,
    first_human_review_at: record.firstHumanReviewAt,
    merged_at: snapshot?.mergedAt ?? null,
    closed_at: snapshot?.closedAt ?? null,
    updated_at: updatedAtOf(record),
    additions: snapshot?.additions ?? null,
    deletions: snapshot?.deletions ?? null,
    changed_files: snapshot?.changedFiles ?? null,
    num_commits: snapshot?.commits ?? null,
    human_interactions: humanInteractions(record),
    human_code_change: hasHumanCode(record),
    history_complete: record.isHistoryComplete,
    runs: record.runs.map(({ id, rootId, createdAt }) => ({
      run_id: id,
      root_run_id: rootId,
      created_at: createdAt,
    })),
    kickoff_at: kickoffOf(record) ?? "",
    cycle_time: cycleTimeOf(record),
  };
}

/** When the pull request changed last, or was reported where no delivery names it. */
export function updatedAtOf({ snapshot, firstSeenAt }: FactoryPullRequest): string {
  return snapshot?.updatedAt ?? firstSeenAt ?? "";
}

/** The same with what it has cost, and of the run that reported it first. */
export function costlyPullRequestView(
  record: FactoryPullRequest,
  cost: PullRequestCost,
  factoryUid: string,
): Models["CostlyPullRequest"] {
  const [kickoff] = record.runs;
  if (!kickoff) throw new Error("a pull request that no run has reported has no cost");
  const models = [...cost.models].map(([model, usd]) => ({ model_id: model, inference: roundedUsd(usd) }));
  return {
    ...pullRequestView(record, factoryUid),
    dollars: dollarsOf([cost]),
    models: models.sort((one, other) => other.inference - one.inference).slice(0, MAX_MODELS),
    creator: creatorInfo(kickoff.creator),
    source: kickoff.source,
    requested_model_id: kickoff.modelId,
  };
}
