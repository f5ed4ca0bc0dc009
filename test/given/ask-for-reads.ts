import { askForOutbound } from "./ask-for-outbound.ts";

/** Lines of a factory.yaml with a target that nothing listens at. */
export const NOTIFYING = `millrace:
  repositories: optional
  notify: [{ name: ops, kind: webhook, url: "http://127.0.0.1:1/", secretName: AGENT_SECRET, events: [run.failed] }]
`;

// biome-ignore lint/suspicious/noExplicitAny: what comes is held to its description elsewhere
type Ask = (method: string, path: string, body?: object) => Promise<any>;

const READ = `/secrets /audit-log /events /whoami /settings /servers /deliveries /factories/acme/runners /activity?factory=acme
  /activity/history?range=30d /activity/factories /activity/webhooks?details=true /activity/automations
  /activity/agents /usage?group_by=automation /usage?group_by=model /usage/runs /notifications?state=failed&event=test
  /factory/acme/metrics?group_by_period=week /factory/acme/metrics/run-breakdown?group_by=status&group_by_period=month
  /factory/acme/costs/breakdown?group_by=model&group_by_period=month /factory/acme/costs/per-pr?group_by_period=month
  /factory/acme/costs/per-pr/by-size?group_by_period=month /factory/acme/costs/per-pr/top /factory/acme/pull-requests`;

/** What there is to read of the whole server, a test of a notification included. */
export async function askForReads(ask: Ask): Promise<void> {
  const { notification_targets: targets } = await ask("GET", "/notification-targets");
  const { id } = await ask("POST", `/notification-targets/${targets[0].id}/test`);
  await ask("GET", `/notifications/${id}`);
  await askForOutbound(ask);
  const config = { worker_host: "a-pool" };
  const { run_id } = await ask("POST", "/agent/runs", { prompt: "Wait for a worker.", config });
  await ask("GET", "/workers/demand");
  await ask("POST", `/agent/runs/${run_id}/cancel`);
  for (const path of READ.split(/\s+/)) await ask("GET", path);
}
