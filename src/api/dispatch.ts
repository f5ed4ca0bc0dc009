import { MillraceError } from "../error.ts";
import { newUuid } from "../id.ts";
import type { Factory } from "../reconcile/factories.ts";
import { foremanOf, requestedRun } from "../runs/new-run.ts";
import { checkPromptSize } from "./agent-config-check.ts";
import { reachesFactory } from "./authorize.ts";
import { type ApiRequest, type Endpoints, keyOf } from "./endpoint.ts";
import { findFactory } from "./factories.ts";
import { pageOf } from "./page.ts";
import type { RunParts } from "./run-parts.ts";
import { type CreateAnswer, sourceOf, startRun } from "./start-run.ts";

/** Factories as the clients of the public API know them, and runs that are handed to one (contract, 1.6). */
export function dispatchEndpoints(parts: RunParts): Endpoints {
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
      handle: async (request) => ({ json: factoryDetails(findFactory(request, factories)) }),
    },
    dispatchRun: { role: "operator", handle: (request) => dispatchRun(request, parts) },
  };
}

function dispatchRun(request: ApiRequest, parts: RunParts) {
  return startRun(request, parts, async () => {
    const { prompt, title, ticket_ref, ticket_url } = request.body;
    checkPromptSize(prompt, "prompt");
    const factory = findFactory(request, parts.factories);
    const { record, served } = factory;
    if (!served) throw noDefinition(factory);
    const ticket = ticket_ref ?? `adhoc:${newUuid()}`;
    const foreman = foremanOf(served.definition);
    const run = requestedRun(
      { prompt, metadata: ticketMetadata(ticket, ticket_url), ...(title === undefined ? {} : { title }) },
      keyOf(request).principal,
      sourceOf(request.http.request),
      { factory: { uid: record.uid, served }, agent: foreman },
    );
    return {
      run,
      shape: ({ run_id, state }: CreateAnswer) => ({
        run_id,
        factory_uid: record.uid,
        foreman_agent: foreman,
        state,
        ticket_ref: ticket,
        run_url: `${parts.publicUrl()}/runs/${run_id}`,
      }),
    };
  });
}

/** What a ticket `source:id` becomes on its run (contract, 1.6). */
function ticketMetadata(ticket: string, url: string | undefined): Record<string, string> {
  const [source = "", ...id] = ticket.split(":");
  return {
    ticket_id: id.join(":"),
    ticket_source: source,
    ...(url === undefined ? {} : { ticket_url: url }),
  };
}

/** A factory whose definition has never been valid has nobody who could take a run. */
function noDefinition({ record }: Factory): MillraceError {
  return new MillraceError("conflict", `The factory "${record.name}" has no definition in force yet.`, {
    remedy: "Look at its problems: `millrace status`.",
    retryable: false,
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
