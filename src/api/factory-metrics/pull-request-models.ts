import { STAGES } from "../../insight/factory-pull-requests.ts";
import { INTERACTIONS, PULL_REQUEST_STATES } from "../../insight/pull-request.ts";
import { ref } from "../http/operation.ts";
import { count, instant, optionalCount, optionalInstant, optionalText, text } from "../http/shapes.ts";
import { common, objectOf } from "./factory-metrics-models.ts";

const flag = { type: "boolean" };

const record = {
  provider: { type: ["string", "null"], enum: ["github", "gitlab", null] },
  repo_full_name: optionalText,
  pr_number: optionalCount,
  url: text,
  title: optionalText,
  author_login: optionalText,
  factory_uid: text,
  team_uid: common.team_uid,
  state: {
    type: ["string", "null"],
    enum: [...PULL_REQUEST_STATES, null],
    description: "null if no delivery of its forge names the pull request.",
  },
  opened_at: optionalInstant,
  first_human_review_at: optionalInstant,
  merged_at: optionalInstant,
  closed_at: optionalInstant,
  updated_at: instant,
  additions: optionalCount,
  deletions: optionalCount,
  changed_files: optionalCount,
  num_commits: optionalCount,
  human_interactions: objectOf({
    ...Object.fromEntries(INTERACTIONS.map((each) => [each, count])),
    follow_up_message: { ...count, description: "Messages that people sent to the runs." },
    total: count,
  }),
  human_code_change: {
    ...flag,
    description: "Whether a person is known to have opened the pull request, or to have pushed to it.",
  },
  history_complete: {
    ...flag,
    description: "Whether the factory received the delivery of its opening.",
  },
  runs: {
    type: "array",
    items: objectOf({ run_id: text, root_run_id: text, created_at: instant }),
    description: "The runs that reported it, the oldest first.",
  },
  kickoff_at: { ...instant, description: "When the first of these runs was created." },
  cycle_time: objectOf(
    Object.fromEntries(
      STAGES.map((each) => [
        each,
        {
          type: ["number", "null"],
          minimum: 0,
          description: "In seconds; null if one of the two ends is unknown, or the end came first.",
        },
      ]),
    ),
  ),
};

export const pullRequestModels = {
  PullRequest: objectOf(record),
  PullRequestList: objectOf({
    ...common,
    data: { type: "array", items: ref("PullRequest"), description: "The last reported first." },
    page_info: ref("PageInfo"),
  }),
  CostlyPullRequest: objectOf({
    ...record,
    dollars: ref("Dollars"),
    models: {
      type: "array",
      items: objectOf({
        model_id: text,
        inference: { type: "number", minimum: 0, description: "Its part of dollars.inference." },
      }),
      description: "The costliest first, at most 100.",
    },
    creator: ref("RunCreatorInfo"),
    source: text,
    requested_model_id: optionalText,
  }),
  CostliestPullRequests: objectOf({
    ...common,
    data: { type: "array", items: ref("CostlyPullRequest"), description: "The costliest first." },
  }),
} as const;
