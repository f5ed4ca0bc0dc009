import { lazy, Suspense } from "react";
import { Route, Switch } from "wouter";
import { NotFound } from "./pages/not-found.tsx";
import { Overview } from "./pages/overview/overview.tsx";
import { Skeleton } from "./parts/skeleton.tsx";

const Webhooks = lazy(async () => ({ default: (await import("./pages/webhooks/webhooks.tsx")).Webhooks }));
const Webhook = lazy(async () => ({ default: (await import("./pages/webhooks/webhook.tsx")).Webhook }));
const Automations = lazy(async () => ({
  default: (await import("./pages/automations/automations.tsx")).Automations,
}));
const Automation = lazy(async () => ({
  default: (await import("./pages/automations/automation.tsx")).Automation,
}));
const EditAutomation = lazy(async () => ({
  default: (await import("./pages/automations/edit-automation.tsx")).EditAutomation,
}));
const NewAutomation = lazy(async () => ({
  default: (await import("./pages/automations/new-automation.tsx")).NewAutomation,
}));
const Files = lazy(async () => ({ default: (await import("./pages/files/files.tsx")).Files }));
const File = lazy(async () => ({ default: (await import("./pages/files/file.tsx")).File }));
const NewFile = lazy(async () => ({ default: (await import("./pages/files/new-file.tsx")).NewFile }));
const Revisions = lazy(async () => ({
  default: (await import("./pages/revisions/revisions.tsx")).Revisions,
}));
const Runners = lazy(async () => ({ default: (await import("./pages/runners/runners.tsx")).Runners }));
const Runs = lazy(async () => ({ default: (await import("./pages/runs/runs.tsx")).Runs }));
const RunPage = lazy(async () => ({ default: (await import("./pages/run/run-page.tsx")).RunPage }));
const Agents = lazy(async () => ({ default: (await import("./pages/agents/agents.tsx")).Agents }));
const Environments = lazy(async () => ({
  default: (await import("./pages/environments/environments.tsx")).Environments,
}));
const Schedules = lazy(async () => ({
  default: (await import("./pages/schedules/schedules.tsx")).Schedules,
}));
const Secrets = lazy(async () => ({ default: (await import("./pages/secrets/secrets.tsx")).Secrets }));
const Keys = lazy(async () => ({ default: (await import("./pages/keys/keys.tsx")).Keys }));
const AuditLog = lazy(async () => ({ default: (await import("./pages/audit-log/audit-log.tsx")).AuditLog }));
const Settings = lazy(async () => ({ default: (await import("./pages/settings/settings.tsx")).Settings }));

/** Every address of the dashboard. What is not on the first page is loaded when somebody goes there. */
export function Routes() {
  return (
    <Suspense fallback={<Skeleton rows={6} />}>
      <Switch>
        <Route path="/" component={Overview} />
        <Route path="/factories/:factory/webhooks" component={Webhooks} />
        <Route path="/factories/:factory/webhooks/:uid" component={Webhook} />
        <Route path="/factories/:factory/automations" component={Automations} />
        <Route path="/factories/:factory/automations/:name" component={Automation} />
        <Route path="/factories/:factory/automations/:name/edit" component={EditAutomation} />
        <Route path="/factories/:factory/new-automation" component={NewAutomation} />
        <Route path="/factories/:factory/files" component={Files} />
        <Route path="/factories/:factory/files/*" component={File} />
        <Route path="/factories/:factory/new-file" component={NewFile} />
        <Route path="/factories/:factory/revisions" component={Revisions} />
        <Route path="/factories/:factory/runners" component={Runners} />
        <Route path="/runs" component={Runs} />
        <Route path="/runs/:id" component={RunPage} />
        <Route path="/agents" component={Agents} />
        <Route path="/environments" component={Environments} />
        <Route path="/schedules" component={Schedules} />
        <Route path="/secrets" component={Secrets} />
        <Route path="/keys" component={Keys} />
        <Route path="/audit-log" component={AuditLog} />
        <Route path="/settings" component={Settings} />
        <Route component={NotFound} />
      </Switch>
    </Suspense>
  );
}
