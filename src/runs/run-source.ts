/** How a run was started, as the public API names it. */
export type RunSource =
  | "API"
  | "CLI"
  | "WEB_APP"
  | "CUSTOM_WEBHOOK"
  | "GITHUB_WEBHOOK"
  | "GITLAB_WEBHOOK"
  | "LINEAR"
  | "JIRA"
  | "SLACK"
  | "SCHEDULED_AGENT"
  | "ORCHESTRATION";
