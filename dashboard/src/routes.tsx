import { Suspense } from "react";
import { Route, Switch } from "wouter";
import { NotFound } from "./pages/not-found.tsx";
import { Skeleton } from "./parts/tables/skeleton.tsx";
import { later } from "./parts/time/later.tsx";

/** Every address of the dashboard. Its page is loaded when someone goes there. */
const PAGES = [
  ["/", later(async () => (await import("./pages/overview/overview.tsx")).Overview)],
  [
    "/factories/:factory/webhooks",
    later(async () => (await import("./pages/webhooks/webhooks.tsx")).Webhooks),
  ],
  [
    "/factories/:factory/webhooks/:uid",
    later(async () => (await import("./pages/webhooks/webhook.tsx")).Webhook),
  ],
  [
    "/factories/:factory/outbound/:name",
    later(async () => (await import("./pages/webhooks/outbound/outbound-webhook.tsx")).OutboundWebhook),
  ],
  [
    "/factories/:factory/automations",
    later(async () => (await import("./pages/automations/automations.tsx")).Automations),
  ],
  [
    "/factories/:factory/automations/:name",
    later(async () => (await import("./pages/automations/automation.tsx")).Automation),
  ],
  [
    "/factories/:factory/automations/:name/edit",
    later(async () => (await import("./pages/automations/edit-automation.tsx")).EditAutomation),
  ],
  [
    "/factories/:factory/automations/:name/try",
    later(async () => (await import("./pages/automations/try-filter.tsx")).TryFilter),
  ],
  [
    "/factories/:factory/new-automation",
    later(async () => (await import("./pages/automations/new-automation.tsx")).NewAutomation),
  ],
  ["/factories/:factory/files", later(async () => (await import("./pages/files/files.tsx")).Files)],
  ["/factories/:factory/files/*", later(async () => (await import("./pages/files/file.tsx")).File)],
  ["/factories/:factory/new-file", later(async () => (await import("./pages/files/new-file.tsx")).NewFile)],
  [
    "/factories/:factory/revisions",
    later(async () => (await import("./pages/revisions/revisions.tsx")).Revisions),
  ],
  ["/factories/:factory/runners", later(async () => (await import("./pages/runners/runners.tsx")).Runners)],
  [
    "/factories/:factory/deliveries/:id/test",
    later(async () => (await import("./pages/webhooks/make-test.tsx")).MakeTest),
  ],
  ["/factories/:factory/board", later(async () => (await import("./pages/board/board.tsx")).Board)],
  [
    "/factories/:factory/tasks/:uid",
    later(async () => (await import("./pages/task/task-page.tsx")).TaskPage),
  ],
  ["/board", later(async () => (await import("./pages/board/to-board.tsx")).ToBoard)],
  ["/tasks/:uid", later(async () => (await import("./pages/task/to-task.tsx")).ToTask)],
  ["/inbox", later(async () => (await import("./pages/run/inbox/inbox.tsx")).Inbox)],
  ["/deliveries", later(async () => (await import("./pages/webhooks/deliveries.tsx")).Deliveries)],
  ["/runs", later(async () => (await import("./pages/runs/runs.tsx")).Runs)],
  ["/runs/:id", later(async () => (await import("./pages/run/run-page.tsx")).RunPage)],
  ["/usage", later(async () => (await import("./pages/usage/usage.tsx")).Usage)],
  ["/agents", later(async () => (await import("./pages/agents/agents.tsx")).Agents)],
  ["/environments", later(async () => (await import("./pages/environments/environments.tsx")).Environments)],
  ["/schedules", later(async () => (await import("./pages/schedules/schedules.tsx")).Schedules)],
  ["/secrets", later(async () => (await import("./pages/secrets/secrets.tsx")).Secrets)],
  [
    "/notifications",
    later(async () => (await import("./pages/notifications/notifications.tsx")).Notifications),
  ],
  [
    "/outbound",
    later(async () => (await import("./pages/webhooks/outbound/server-outbound.tsx")).ServerOutbound),
  ],
  [
    "/outbound/:name",
    later(async () => (await import("./pages/webhooks/outbound/outbound-webhook.tsx")).OutboundWebhook),
  ],
  ["/workers", later(async () => (await import("./pages/workers/workers.tsx")).Workers)],
  ["/servers", later(async () => (await import("./pages/servers/servers.tsx")).Servers)],
  ["/keys", later(async () => (await import("./pages/keys/keys.tsx")).Keys)],
  ["/audit-log", later(async () => (await import("./pages/audit-log/audit-log.tsx")).AuditLog)],
  ["/settings", later(async () => (await import("./pages/settings/settings.tsx")).Settings)],
] as const;

/** Loads the page of an address before it is shown, for anyone who enters there. */
export async function loadPage(address: string): Promise<void> {
  const [, page] = PAGES.find(([path]) => patternOf(path).test(address || "/")) ?? [];
  await page?.load();
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/:\w+/g, "[^/]+").replace("*", ".+")}$`);
}

export function Routes() {
  return (
    <Suspense fallback={<Skeleton rows={6} />}>
      <Switch>
        {PAGES.map(([path, { Part }]) => (
          <Route key={path} path={path} component={Part} />
        ))}
        <Route component={NotFound} />
      </Switch>
    </Suspense>
  );
}
