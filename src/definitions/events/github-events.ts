import { mentionsIn } from "../filters/mentions.ts";
import {
  at,
  branch,
  each,
  exact,
  name,
  number,
  once,
  one,
  only,
  type Payload,
  type PayloadField,
  path,
  type Read,
  scalars,
} from "../filters/payload-field.ts";
import type { EventProvider } from "./provider-event.ts";

/** An event of the definition format, as GitHub's deliveries tell of it. */
export interface GithubEvent {
  /** Values of the header `X-GitHub-Event`, each with the field `action` of the body where it has one. */
  from: readonly { header: string; action?: string }[];
  /** What has to be true beyond that. */
  when?(payload: Payload): boolean;
  /** The filter keys that a payload of the event answers. */
  fields: Readonly<Record<string, PayloadField>>;
}

/** A push to a tag has no branch. */
const pushedBranch: Read = (payload) => {
  const ref = at(payload, "ref");
  return typeof ref === "string" && ref.startsWith("refs/heads/") ? [ref.slice("refs/heads/".length)] : [];
};

/**
 * A forced push, and a new branch, list no commits where other branches have them: then the newest one is told alone. What a tag
 * points at has been pushed before.
 */
function pushedCommits(payload: Payload): unknown[] | undefined {
  const commits = at(payload, "commits");
  if (!Array.isArray(commits) || commits.length > 0) return Array.isArray(commits) ? commits : undefined;
  const head = at(payload, "head_commit");
  if (!String(at(payload, "ref")).startsWith("refs/heads/")) return [];
  return head ? [head] : undefined;
}

const pushedPaths = once((payload) => {
  const commits = pushedCommits(payload);
  if (!commits) return undefined;
  const paths = commits.flatMap((commit) =>
    ["added", "modified", "removed"].flatMap((kind) => {
      const listed = at(commit, kind);
      return Array.isArray(listed) ? scalars(listed) : [];
    }),
  );
  return [...new Set(paths)];
});

/** What somebody has just written or edited: a comment, a review, or what was opened. */
function newText(payload: Payload): unknown {
  return ["comment", "review", "pull_request", "issue"].map((key) => at(payload, key)).find(Boolean);
}

const isEdit = (payload: Payload) => at(payload, "action") === "edited";

/** Of an edit, only whom the text did not mention before: GitHub sends what a changed text was, and nothing for one that is the same. */
const mentioned = once((payload) => {
  const body = at(newText(payload), "body");
  if (typeof body !== "string") return [];
  if (!isEdit(payload)) return mentionsIn(body);
  const changed = at(payload, "changes", "body");
  if (changed === undefined) return [];
  const former = at(changed, "from");
  const before = new Set(typeof former === "string" ? mentionsIn(former).map(lowerCase) : []);
  return mentionsIn(body).filter((who) => !before.has(lowerCase(who)));
});

const lowerCase = (text: string) => text.toLowerCase();

/** Who wrote it. Somebody else may edit a text, and is the sender then. */
const writerOf = (payload: Payload) =>
  isEdit(payload) ? at(payload, "sender") : at(newText(payload), "user");
const writer: Read = (payload) => scalars([at(writerOf(payload), "login")]);

/** What an agent writes as an app or as a bot must not start it again. */
function isByBot(payload: Payload): boolean {
  const user = writerOf(payload);
  return at(user, "type") === "Bot" || String(at(user, "login")).endsWith("[bot]");
}

/** A team as GitHub mentions it, and by its bare name. */
const requestedTeam: Read = (payload) => {
  const slug = at(payload, "requested_team", "slug");
  const organization = at(payload, "organization", "login");
  return scalars([slug, typeof organization === "string" && slug ? `${organization}/${slug}` : undefined]);
};

/** A comment on a pull request is one on its issue, and carries no pull request of its own. */
const labelsOfPullRequest = each(["pull_request", "labels"], "name");
const labelsOfIssue = each(["issue", "labels"], "name");
const labelsOfEither: Read = (payload) => labelsOfPullRequest(payload) ?? labelsOfIssue(payload);

const isMention = (payload: Payload) => (mentioned(payload) ?? []).length > 0 && !isByBot(payload);
const isOnPullRequest = (payload: Payload) =>
  at(payload, "pull_request") !== undefined || at(payload, "issue", "pull_request") !== undefined;

const login = (read: Read) =>
  only(name(read), /^[\w-]+(?:\[bot\])?$/, "logins without @, for example octocat");
const teamOrLogin = (read: Read) =>
  only(name(read), /^[\w-]+(?:\/[\w-]+|\[bot\])?$/, "names without @, for example octocat or acme/web");
const branchName = (read: Read) =>
  only(
    branch(read),
    /^(?!refs\/(?:heads|tags)\/)[^\s~^:\\]+$/,
    "names of branches without refs/heads/, for example main",
  );

const repos = {
  repos: only(
    name(one("repository", "full_name")),
    /^[\w.-]+\/[\w.-]+$/,
    "names with their owner, for example acme/shop",
  ),
};
const issue = {
  ...repos,
  labels: name(labelsOfIssue),
  assignees: login(each(["issue", "assignees"], "login")),
  authors: login(one("issue", "user", "login")),
};
const pullRequest = {
  ...repos,
  base_branches: branchName(one("pull_request", "base", "ref")),
  pr_numbers: number("pull_request", "number"),
  labels: name(labelsOfPullRequest),
  assignees: login(each(["pull_request", "assignees"], "login")),
  authors: login(one("pull_request", "user", "login")),
};
/** The label that was added just now, not those from before. */
const addedLabel = { labels: name(one("label", "name")) };
const addedAssignee = { assignees: login(one("assignee", "login")) };
const mention = { ...repos, mentioned: teamOrLogin(mentioned), labels: name(labelsOfEither) };
const mentionBySomebody = { ...mention, authors: login(writer) };
const suite = (of: string) => ({
  ...repos,
  conclusions: only(
    name(one(of, "conclusion")),
    /^(?:success|failure|neutral|cancelled|timed_out|action_required|stale|skipped|startup_failure)$/i,
    "success, failure, neutral, cancelled, timed_out, action_required, stale, skipped or startup_failure",
  ),
  branches: branchName(one(of, "head_branch")),
});

const numbersOfLinked = each(["workflow_run", "pull_requests"], "number");
const authorsOfLinked = each(["workflow_run", "pull_requests"], "user", "login");

/** GitHub names linked pull requests by number: who opened them is known from deliveries that came before. */
const linkedAuthors: PayloadField = {
  ...name((payload, beside) => {
    const said = authorsOfLinked(payload) ?? [];
    const known = said.length > 0 ? said : [...(beside?.authors ?? [])];
    return known.length > 0 ? known : undefined;
  }),
  unsaid(payload) {
    const numbers = numbersOfLinked(payload) ?? [];
    if (numbers.length === 0)
      return "the workflow run is not linked to a pull request (GitHub does not link pull requests from forks)";
    const named = numbers.map((number) => `#${number}`).join(", ");
    return `the author of the pull request ${named} is unknown: this factory has not received a delivery of that pull request`;
  },
};

const pullRequestOf = (action: string): GithubEvent => ({
  from: [{ header: "pull_request", action }],
  fields: pullRequest,
});

/** Every event of the provider `github`. What a schema allows as a filter key and is not here, no payload answers. */
export const GITHUB_EVENTS: Readonly<Record<string, GithubEvent>> = {
  push: {
    from: [{ header: "push" }],
    when: (payload) => at(payload, "deleted") !== true,
    fields: {
      ...repos,
      branches: branchName(pushedBranch),
      paths: {
        ...only(
          path(pushedPaths),
          /^(?!\.{0,2}\/)./,
          "paths from the top of the repository, for example docs/**",
        ),
        unsaid: () => "the push lists no commits and no head_commit, so it is unknown which paths changed",
      },
    },
  },
  issue_created: { from: [{ header: "issues", action: "opened" }], fields: issue },
  issue_labeled: { from: [{ header: "issues", action: "labeled" }], fields: { ...issue, ...addedLabel } },
  issue_assigned: {
    from: [{ header: "issues", action: "assigned" }],
    fields: { ...repos, labels: issue.labels, ...addedAssignee },
  },
  issue_mentioned: {
    from: [
      { header: "issues", action: "opened" },
      { header: "issues", action: "edited" },
      { header: "issue_comment", action: "created" },
      { header: "issue_comment", action: "edited" },
    ],
    when: (payload) => isMention(payload) && !isOnPullRequest(payload),
    fields: mentionBySomebody,
  },
  pull_request_opened: pullRequestOf("opened"),
  pull_request_ready: pullRequestOf("ready_for_review"),
  pull_request_closed: {
    ...pullRequestOf("closed"),
    when: (payload) => at(payload, "pull_request", "merged") !== true,
  },
  pull_request_merged: {
    ...pullRequestOf("closed"),
    when: (payload) => at(payload, "pull_request", "merged") === true,
  },
  pull_request_labeled: { ...pullRequestOf("labeled"), fields: { ...pullRequest, ...addedLabel } },
  pull_request_synchronized: pullRequestOf("synchronize"),
  pull_request_reopened: pullRequestOf("reopened"),
  pull_request_assigned: {
    ...pullRequestOf("assigned"),
    fields: { ...repos, labels: pullRequest.labels, ...addedAssignee },
  },
  pull_request_mentioned: {
    from: [
      { header: "pull_request", action: "opened" },
      { header: "pull_request", action: "edited" },
      { header: "issue_comment", action: "created" },
      { header: "issue_comment", action: "edited" },
      { header: "pull_request_review", action: "submitted" },
      { header: "pull_request_review", action: "edited" },
      { header: "pull_request_review_comment", action: "created" },
      { header: "pull_request_review_comment", action: "edited" },
    ],
    when: (payload) => isMention(payload) && isOnPullRequest(payload),
    fields: mentionBySomebody,
  },
  pull_request_review_requested: {
    ...pullRequestOf("review_requested"),
    fields: {
      ...repos,
      reviewers: login(one("requested_reviewer", "login")),
      reviewer_teams: teamOrLogin(requestedTeam),
    },
  },
  pull_request_review_submitted: {
    from: [{ header: "pull_request_review", action: "submitted" }],
    fields: {
      ...mention,
      review_states: only(
        name(one("review", "state")),
        /^(?:approved|changes_requested|commented|dismissed)$/i,
        "approved, changes_requested, commented or dismissed",
      ),
    },
  },
  check_suite_completed: {
    from: [{ header: "check_suite", action: "completed" }],
    fields: suite("check_suite"),
  },
  check_suite_rerequested: { from: [{ header: "check_suite", action: "rerequested" }], fields: repos },
  check_run_rerequested: { from: [{ header: "check_run", action: "rerequested" }], fields: repos },
  workflow_run_completed: {
    from: [{ header: "workflow_run", action: "completed" }],
    fields: {
      ...suite("workflow_run"),
      workflows: exact(one("workflow_run", "name")),
      authors: linkedAuthors,
    },
  },
};

/** Whether a delivery tells of an event, by its header and its action. */
function tellsOf({ from }: GithubEvent, header: string | null, payload: Payload): boolean {
  return from.some(
    (source) =>
      source.header === header && (source.action === undefined || at(payload, "action") === source.action),
  );
}

/** What GitHub calls a delivery, for a person: `pull_request with the action closed`. */
function describeGithub(header: string | null, payload: Payload): string {
  const action = at(payload, "action");
  const called = header ?? "a delivery without X-GitHub-Event";
  return typeof action === "string" ? `${called} with the action ${action}` : called;
}

function describeSources({ from }: GithubEvent): string {
  return from.map(({ header, action }) => (action ? `${header} ${action}` : header)).join(" or ");
}

export const GITHUB: EventProvider = {
  title: "GitHub",
  saidAt: "X-GitHub-Event",
  describe: ({ event, payload }) => describeGithub(event, payload),
  titles: [
    "#{{pull_request.number}} {{pull_request.title}}",
    "#{{issue.number}} {{issue.title}}",
    "#{{discussion.number}} {{discussion.title}}",
    "{{workflow_run.name}}: {{workflow_run.display_title}}",
    "{{check_run.name}}",
    "{{release.tag_name}}",
    "{{head_commit.message}}",
  ],
  events: Object.fromEntries(
    Object.entries(GITHUB_EVENTS).map(([key, event]) => [
      key,
      {
        happened: ({ event: header, payload }) =>
          tellsOf(event, header, payload) && (event.when?.(payload) ?? true),
        means: describeSources(event),
        fields: event.fields,
      },
    ]),
  ),
};
