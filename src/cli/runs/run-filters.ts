import { type Command, Option } from "commander";
import { ARTIFACT_TYPES } from "../../api/models/run-output.ts";
import { KNOWN_SOURCES, NO_ENVIRONMENT, TASK_STATUSES } from "../../api/models/runs.ts";
import { ApiError, type Millrace } from "../../client/client.ts";
import { MillraceError } from "../../errors/error.ts";
import { isUid } from "../../id.ts";
import { RUN_STATES } from "../../runs/rules/state.ts";
import { instantPast, metadataPair, present, runIdStart, someOf } from "../arguments.ts";
import { findEnvironment } from "./environments.ts";
import { findRunId } from "./find-run.ts";

export type RunQuery = NonNullable<Parameters<Millrace["runs"]["list"]>[0]>;
type Given<Key extends keyof RunQuery> = NonNullable<RunQuery[Key]>;

/** What runs are chosen by. */
export interface RunFilterOptions {
  state?: Given<"state">;
  taskStatus?: Given<"task_status">;
  name?: string;
  model?: string;
  creator?: string;
  executor?: string;
  source?: Given<"source">;
  createdAfter?: string;
  createdBefore?: string;
  updatedAfter?: string;
  environment?: string;
  skill?: string;
  schedule?: string;
  ancestor?: string;
  rerunOf?: string;
  metadata?: Record<string, string>;
  artifactType?: Given<"artifact_type">;
  search?: string;
  automation?: string;
  factory?: string[];
  factoryOnly?: true;
}

/** Gives a command the options that choose runs. */
export function withRunFilters(command: Command): Command {
  return command
    .option("--state <states...>", "only runs in these states", someOf(Object.keys(RUN_STATES)))
    .addOption(
      new Option("--task-status <words...>", "only runs with one of these task statuses").choices(
        TASK_STATUSES,
      ),
    )
    .option("--source <sources...>", "only runs from these sources", someOf(KNOWN_SOURCES))
    .option(
      "-q, --search <text>",
      "only runs with these words in the title, the skill or the start of the prompt",
    )
    .option("--name <name>", "only runs whose configuration has this name")
    .option("--model <id>", "only runs that use this model")
    .option("--skill <skill>", "only runs that use this skill, by specification or name")
    .option(
      "--environment <name>",
      `only runs in this environment, by name or UID; ${NO_ENVIRONMENT} for runs without one`,
    )
    .option("--metadata <key=value...>", "only runs with all of this metadata", metadataPair)
    .addOption(
      new Option("--artifact-type <type>", "only runs with an artifact of this type").choices(ARTIFACT_TYPES),
    )
    .option("--creator <name>", "only runs created by this user or agent, by agent name, key name or UID")
    .option("--executor <uid>", "only runs that execute as this user or agent")
    .option("--automation <name>", "only runs started by this automation, by name or UID")
    .option("--schedule <id>", "only runs started by this schedule")
    .option("--ancestor <id>", "only descendants of this run, at any depth", runIdStart)
    .option("--rerun-of <id>", "only runs that repeat this run", runIdStart)
    .option("--factory <names...>", "only runs of these factories")
    .option("--factory-only", "only runs that belong to a factory")
    .option(
      "--created-after <when>",
      "only runs created at or after this time; a timestamp or an age such as 2h or 3d",
      instantPast,
    )
    .option("--created-before <when>", "only runs created before this time", instantPast)
    .option("--updated-after <when>", "only runs updated at or after this time", instantPast);
}

/** What the options ask the API for, with uids in place of names. */
export async function readRunFilters(client: Millrace, options: RunFilterOptions): Promise<RunQuery> {
  return present({
    state: options.state,
    task_status: options.taskStatus,
    source: options.source,
    q: options.search,
    name: options.name,
    model_id: options.model,
    skill: options.skill,
    environment_id: options.environment && (await environmentUid(client, options.environment)),
    metadata: options.metadata,
    artifact_type: options.artifactType,
    creator: options.creator && (await principalUid(client, options.creator)),
    executor: options.executor,
    automation_id: options.automation && (await automationUid(client, options.automation, options.factory)),
    schedule_id: options.schedule,
    ancestor_run_id: options.ancestor && (await findRunId(client, options.ancestor)),
    rerun_of: options.rerunOf && (await findRunId(client, options.rerunOf)),
    factory_uid:
      options.factory && (await Promise.all(options.factory.map((name) => factoryUid(client, name)))),
    factory_only: options.factoryOnly,
    created_after: options.createdAfter,
    created_before: options.createdBefore,
    updated_after: options.updatedAfter,
  });
}

/** A uid is taken as it is: its environment may have been deleted, and its runs are there. */
async function environmentUid(client: Millrace, name: string): Promise<string> {
  return name === NO_ENVIRONMENT || isUid(name) ? name : (await findEnvironment(client, name)).uid;
}

async function factoryUid(client: Millrace, name: string): Promise<string> {
  return (await client.factories.get(name)).uid;
}

/** The uid of an automation by its name, in the factories that are named, or in all. @throws MillraceError */
async function automationUid(client: Millrace, name: string, factories?: readonly string[]): Promise<string> {
  if (isUid(name)) return name;
  const searched = factories ?? (await client.factories.list({ limit: 500 }).toArray()).map(({ uid }) => uid);
  const found = await Promise.all(
    searched.map((factory) => client.automations.list(factory, { limit: 500 }).toArray()),
  );
  const uids = found
    .flat()
    .filter((automation) => automation.name === name)
    .map(({ uid }) => uid);
  return onlyOne(
    uids,
    "automation",
    name,
    "Run `millrace automations list` to list the automations of a factory.",
  );
}

/** The uid of whoever acts under a name: an agent, or whose key has it. @throws MillraceError */
async function principalUid(client: Millrace, name: string): Promise<string> {
  if (isUid(name)) return name;
  const { principal } = await client.whoami();
  const agents = await client.identities.list({ limit: 500 }).toArray();
  const known = [
    { uid: principal.uid ?? "", name: principal.display_name },
    ...agents.map((agent) => ({ uid: agent.uid, name: agent.name })),
    ...(await keyOwners(client, name)),
  ];
  const uids = known.filter((each) => each.name === name).map(({ uid }) => uid);
  return onlyOne(
    uids,
    "agent or key",
    name,
    "Run `millrace agents list` and `millrace keys list` to see the names.",
  );
}

/** Whose keys have a name: of a key that was replaced, the key that is in use. Only an admin sees the keys of others. */
async function keyOwners(client: Millrace, name: string): Promise<{ uid: string; name: string }[]> {
  try {
    const named = (await client.apiKeys.list({ limit: 500 }).toArray()).filter((key) => key.name === name);
    const active = named.filter((key) => key.revoked_at === null);
    return (active.length > 0 ? active : named).map(({ principal }) => ({ uid: principal.uid ?? "", name }));
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) return [];
    throw error;
  }
}

function onlyOne(uids: readonly string[], what: string, name: string, remedy: string): string {
  const [uid, another] = [...new Set(uids)];
  if (uid !== undefined && another === undefined) return uid;
  if (uid === undefined) {
    throw new MillraceError("resource_not_found", `There is no ${what} named "${name}".`, { remedy });
  }
  throw new MillraceError("invalid_request", `More than one ${what} is named "${name}".`, {
    remedy: `Specify one by its UID: ${[...new Set(uids)].join(", ")}.`,
  });
}
