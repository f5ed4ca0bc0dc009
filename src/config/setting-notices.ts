import type { Config } from "./config.ts";
import type { Origins } from "./load-config.ts";
import { staysOnThisMachine } from "./loopback.ts";
import { type SettingName, settings } from "./settings.ts";

/** Settings that are read and checked, and change nothing on this server yet. */
const WITHOUT_EFFECT: readonly SettingName[] = ["sandbox"];

/** What an operator should know about the settings in force: what has no effect, and what is not safe. */
export function settingNotices(config: Config, origins: Origins): string[] {
  const written = WITHOUT_EFFECT.filter((name) => origins[name] !== "default").map(
    (name) => settings[name].env,
  );
  const notices = written.map((name) => `${name} has no effect on this server yet`);
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
