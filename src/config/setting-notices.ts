import type { Config } from "./config.ts";
import { staysOnThisMachine } from "./loopback.ts";

/** What an operator should know about the settings in force: what has no effect, and what is not safe. */
export function settingNotices(config: Config): string[] {
  const withoutAgent = agentNotice(config);
  return [...addressNotices(config), ...(withoutAgent === undefined ? [] : [withoutAgent])];
}

/** What is missing for runs whose definition names no harness. */
export function agentNotice({ agentCommand }: Pick<Config, "agentCommand">): string | undefined {
  if (agentCommand !== undefined) return undefined;
  return "No agent command is set: runs whose definition names no harness end FAILED. Set MILLRACE_AGENT_COMMAND or --agent-command to the program that executes runs";
}

/** Which URLs let keys and secrets travel unprotected. */
export function addressNotices(config: Config): string[] {
  const notices: string[] = [];
  for (const url of [config.publicUrl, config.webhookUrl]) {
    if (url && isUnprotected(url)) {
      notices.push(
        `${url} is not https: keys and secrets travel in clear; let a proxy in front of millrace end TLS`,
      );
    }
  }
  return notices;
}

function isUnprotected(url: string): boolean {
  return new URL(url).protocol === "http:" && !staysOnThisMachine(url);
}
