import { MillraceError } from "../error.ts";
import { newUuid } from "../id.ts";
import type { Factories, Factory } from "../reconcile/factories.ts";
import { foremanOf, requestedRun } from "../runs/new-run.ts";
import { reachesFactory } from "./authorize.ts";
import { checkPromptSize, sourceOf, startRun } from "./create-run.ts";
import type { Cursors } from "./cursor.ts";
import { type ApiRequest, type Endpoints, keyOf } from "./endpoint.ts";
import { pageOf } from "./page.ts";
import type { RunParts } from "./runs.ts";

export type DispatchParts = RunParts & { factories: Factories; cursors: Cursors };

/** Factories as the clients of the public API know them, and runs that are handed to one (contract, 1.6). */
export function dispatchEndpoints(parts: DispatchParts): Endpoints {
  const { factories, cursors } = parts;
  return {
    searchFactories: {
      role: "viewer",
      async handle(request) {
        const key = keyOf(request);
        const wanted = (request.query.search ?? "").toLowerCase();
        const found = factories
          .list()
          .filter(({ record }) => reachesFactory(key, record.uid))
          .filter((factory) => namesOf(factory).some((name) => name.toLowerCase().includes(wanted)));
        const { items, pageInfo } = pageOf(found, ({ record }) => record.uid, request, cursors);
        return { json: { factories: items.map(factoryDetails), page_info: pageInfo } };
      },
    },
    getFactoryDetails: {
      role: "viewer",
      handle: async (request) => ({ json: factoryDetails(reachedFactory(request, factories)) }),
    },
    dispatchRun: { role: "operator", handle: (request) => dispatchRun(request, parts) },
  };
}

async function dispatchRun(request: ApiRequest, parts: DispatchParts) {
  const { prompt, title, ticket_ref, ticket_url } = request.body;
  checkPromptSize(prompt, "prompt");
  const { record, served } = reachedFactory(request, parts.factories);
  if (!served) {
    throw new MillraceError("conflict", `The factory "${record.name}" has no definition in force yet.`, {
      remedy: "Look at its problems: `millrace status`.",
      retryable: false,
    });
  }
  const ticket = ticket_ref ?? `adhoc:${newUuid()}`;
  const foreman = foremanOf(served.definition);
  const [source, ...id] = ticket.split(":");
  const metadata = {
    ticket_id: id.join(":"),
    ticket_source: source,
    ...(ticket_url === undefined ? {} : { ticket_url }),
  };
  const run = requestedRun(
    { prompt, metadata, ...(title === undefined ? {} : { title }) },
    keyOf(request).principal,
    sourceOf(request.http.request),
    { factory: { uid: record.uid, served }, agent: foreman },
  );
  return {
    jsonText: await startRun(run, request, parts, ({ run_id, state }) => ({
      run_id,
      factory_uid: record.uid,
      foreman_agent: foreman,
      state,
      ticket_ref: ticket,
      run_url: `${parts.publicUrl()}/runs/${run_id}`,
    })),
  };
}

function reachedFactory(request: ApiRequest, factories: Factories): Factory {
  const key = keyOf(request);
  const found = factories.find(request.path.uid ?? "");
  if (found && reachesFactory(key, found.record.uid)) return found;
  throw new MillraceError("resource_not_found", `There is no factory "${request.path.uid}" on this server.`, {
    remedy: "`millrace status` shows the factories that the key reaches.",
  });
}

function namesOf({ record, served }: Factory): string[] {
  return [record.name, served?.definition.factory.alias ?? ""].filter((name) => name !== "");
}

function factoryDetails({ record, served }: Factory) {
  const definition = served?.definition;
  const repositories = definition?.factory.repositories ?? [];
  const forge = repositories.length > 0 ? "GITHUB" : "NONE";
  const foreman = definition?.agents.find(({ type }) => type === "FOREMAN");
  return {
    uid: record.uid,
    name: record.name,
    alias: definition?.factory.alias ?? null,
    description: definition?.factory.description ?? null,
    avatar_url: null,
    code_forge: forge,
    code_forges: [forge],
    created_at: record.createdAt,
    updated_at: record.sync.appliedAt ?? record.createdAt,
    credential_strategy: "EXECUTOR",
    default_environment: foreman?.execution.environmentId ?? null,
    default_model: foreman?.execution.harness.model ?? null,
    integrations: definition?.factory.integrations.map((type) => ({ type })) ?? null,
    repositories: repositories.map(({ owner, name }) => ({ owner, repo: name })),
    agent_defaults: {
      default_runner_uid: "",
      mcp_servers: {},
      secrets: (definition?.factory.secrets ?? []).map((name) => ({ name })),
      worker_host: "",
    },
    scorer_defaults: {},
    scoring: { default_model: null },
    team_uid: "",
  };
}
