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

/** The schedule that started a run, as it was then. */
export interface RunSchedule {
  name: string;
  cron: string;
  /** In which its cron expression was meant; runs from before there were time zones have none, and meant UTC. */
  timezone?: string;
}

/** A schedule as its runs are told of it. */
export function scheduleWords({ name, cron, timezone = "UTC" }: RunSchedule): string {
  return `"${name}" (${cron}, in ${timezone})`;
}
