/** A cron expression with its time zone, unless that is UTC. */
export const cronText = (cron: string, timezone: string): string =>
  timezone === "UTC" ? cron : `${cron} ${timezone}`;
