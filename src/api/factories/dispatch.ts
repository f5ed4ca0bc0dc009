import type { Models } from "../../client/typed-paths.ts";
import { newUid, newUuid } from "../../id.ts";
import { reachesFactory } from "../../principals/principal.ts";
import type { Factory } from "../../reconcile/running-factory.ts";
import { type NewRunTask, type Ticket, taskEnvelope, taskFactory } from "../../runs/rules/run-task.ts";
import { noDefinition } from "../../runs/start/agent-of-run.ts";
import { checkPromptSize } from "../../runs/start/check-request.ts";
import { foremanOf, requestedRun } from "../../runs/start/requested-run.ts";
import { answerBefore, type StartedRun, storeRun } from "../../runs/start/start-run.ts";
import { type ApiRequest, type Endpoints, keyOf, readIdempotencyKey, sourceOf } from "../http/endpoint.ts";
import { pageOf } from "../http/page.ts";
import type { RunDeps } from "../runs/find-run.ts";
import { findFactory } from "./factories.ts";

/** Factories as the clients of the public API know them, and runs that are handed to one (contract, 1.6). */
export function dispatchEndpoints(deps: RunDeps) {
  const { factories, cursors } = deps;
  return {
    searchFactories: {
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
      handle: async (request) => ({ json: factoryDetails(findFactory(request, factories)) }),
    },
    dispatchRun: { handle: (request) => dispatchRun(request, deps) },
  } satisfies Endpoints;
}

async function dispatchRun(request: ApiRequest<"dispatchRun">, deps: RunDeps) {
  const { principal } = keyOf(request);
  const once = readIdempotencyKey(request.http.request, principal.uid, request.body);
  const before = await answerBefore(once, deps);
  if (before !== undefined) return { jsonText: before };

  const { prompt, title, ticket_ref, ticket_url } = request.body;
  checkPromptSize(prompt, "prompt");
  const factory = findFactory(request, deps.factories);
  const { record, active } = factory;
  if (!active) throw noDefinition(factory);
  // Clients of the public API get a ticket in any case; a task has one only if someone has named it.
  const ref = ticket_ref ?? `adhoc:${newUuid()}`;
  const ticket = readTicket(ref, ticket_url);
  const isNamed = ticket_ref !== undefined || ticket_url !== undefined;
  const foreman = foremanOf(active.definition);
  const run = requestedRun(
    { prompt, title, metadata: ticketMetadata(ticket) },
    principal,
    sourceOf(request.http.request),
    { factory: { uid: record.uid, active }, agent: foreman },
  );
  const ofTask = taskFactory(record.name, active.definition.agents, run.execution.starts);
  const task: NewRunTask = { uid: newUid(), title: run.title, ticket: isNamed ? ticket : null };
  const answer = ({ run_id, state }: StartedRun): Models["FactoryRunResponse"] => ({
    run_id,
    factory_uid: record.uid,
    foreman_agent: foreman,
    state,
    ticket_ref: ref,
    run_url: `${deps.publicUrl()}/runs/${run_id}`,
    task_uid: task.uid,
  });
  const withTask = { ...run, prompt: [prompt, taskEnvelope(task, ofTask)].join("\n\n"), task };
  return { jsonText: await storeRun(withTask, once, deps, answer) };
}

/** The ticket that `source:id` names. */
function readTicket(ref: string, url: string | undefined): Ticket {
  const [source = "", ...id] = ref.split(":");
  return { source, id: id.join(":"), url: url ?? null };
}

/** What a ticket becomes on its run (contract, 1.6). */
function ticketMetadata({ source, id, url }: Ticket): Record<string, string> {
  return { ticket_id: id, ticket_source: source, ...(url === null ? {} : { ticket_url: url }) };
}

function namesOf({ record, active }: Factory): string[] {
  return [record.name, active?.definition.factory.alias ?? ""].filter((name) => name !== "");
}

function factoryDetails({ record, active }: Factory): Models["FactoryDetails"] {
  const definition = active?.definition;
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
