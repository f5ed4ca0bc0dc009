import type { Models, Run } from "../../api/models.ts";
import { isWebAddress } from "../text/web-address.ts";
import { hasEnded } from "./has-ended.ts";
import { pullRequestName } from "./pull-request-name.ts";
import { waitingText } from "./waiting-text.ts";

/** What has started a run: an automation, a schedule or somebody, by name. */
export interface RunOrigin {
  name: string;
  /** What kind of thing that is, or how it came. */
  kind: string;
}

/** In words, how runs start. */
export const SOURCE_WORDS: Readonly<Partial<Record<Models["RunSourceType"], string>>> = {
  CUSTOM_WEBHOOK: "Delivery",
  GITHUB_WEBHOOK: "GitHub event",
  GITLAB_WEBHOOK: "GitLab event",
  LINEAR: "Linear event",
  JIRA: "Jira event",
  SLACK: "Slack event",
  SCHEDULED_AGENT: "Schedule",
  API: "API",
  CLI: "Command line",
  WEB_APP: "Dashboard",
  ORCHESTRATION: "Another run",
};

/** In words, the events of a factory. */
export const EVENT_WORDS: Readonly<Record<Models["RunTrigger"]["event"], string>> = {
  run_ended: "Ended run",
  run_blocked: "Question of a run",
  work_item_stage_changed: "Moved task",
};

/** What has started a run. */
export function originOf(run: Run): RunOrigin {
  const { automation_id, schedule, creator, source, agent_config, trigger } = run;
  const event = trigger && EVENT_WORDS[trigger.event];
  const kind = run.rerun_of === undefined ? (event ?? SOURCE_WORDS[source] ?? source) : "Run again";
  if (automation_id !== undefined) return { name: agent_config.name ?? automation_id, kind };
  if (schedule) return { name: schedule.schedule_name || schedule.cron_schedule, kind };
  return { name: creator.display_name ?? creator.uid ?? kind, kind };
}

/** Why a run has failed or was ended, what its agent asks, waits for or says that it does: the first line. */
export function reasonOf(run: Run): string | undefined {
  const { state, status_message: status, status_line } = run;
  if (state === "SUCCEEDED") return undefined;
  if (!status?.message) return hasEnded(state) ? undefined : (waitingText(run) ?? status_line);
  return status.message.split("\n").find((line) => line.trim() !== "");
}

/** The pull request that a run has made last, when its address is one of the web. */
export function pullRequestOf({ artifacts = [] }: Run): { url: string; label: string } | undefined {
  for (const { artifact_type, data } of artifacts.toReversed()) {
    if (artifact_type !== "PULL_REQUEST" || !isWebAddress(data.url)) continue;
    const number = pullRequestName(data.url)?.number;
    return { url: data.url, label: number === undefined ? "Pull request" : `#${number}` };
  }
  return undefined;
}
