import type { Config } from "./config.ts";
import { staysOnThisMachine } from "./loopback.ts";

/** What an operator should know about the settings in force: what has no effect, and what is not safe. */
export function settingNotices(config: Config): string[] {
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
