import { Command } from "commander";
import type { Millrace, Models } from "../../client/client.ts";
import { MillraceError } from "../../errors/error.ts";
import { asClientCommand, type ConnectOptions, connect } from "../connect.ts";
import { readJsonObject } from "../input.ts";
import { ago, print, printFields, printJson, printTable } from "../output.ts";
import { findAgent } from "./agents.ts";

type Schedule = Models["ScheduledAgentItem"];
type NewSchedule = Models["CreateScheduledAgentRequest"];

interface CreateOptions extends ConnectOptions {
  file?: string;
  name?: string;
  cron?: string;
  timezone?: string;
  prompt?: string;
  agent?: string;
  paused?: true;
}

export function schedulesCommand(): Command {
  const schedules = new Command("schedules").description("manage schedules");
  asClientCommand(
    schedules
      .command("list")
      .description(
        "list the schedules of the API, sorted by name, and those of automations (not with --json)",
      ),
  ).action(list);
  asClientCommand(schedules.command("show <name>").description("show a schedule, by name or ID")).action(
    show,
  );
  asClientCommand(schedules.command("create").description("create a schedule"))
    .option(
      "--file <file>",
      "read the schedule from a JSON file in the API's format (- for standard input); other options take precedence",
    )
    .option("--name <name>", "name of the schedule")
    .option("--cron <expression>", "cron expression: five fields, @daily or @every 30m")
    .option("--timezone <name>", "time zone of the cron expression, for example Europe/Berlin (default: UTC)")
    .option("--prompt <text>", "prompt for the agent")
    .option("--agent <name>", "agent that executes the runs, by name or UID (see `millrace agents list`)")
    .option("--paused", "create the schedule paused: no runs start until it is resumed")
    .action(create);
  asClientCommand(
    schedules.command("pause <name>").description("pause a schedule: no runs start until it is resumed"),
  ).action(pause);
  asClientCommand(schedules.command("resume <name>").description("resume a paused schedule")).action(resume);
  asClientCommand(schedules.command("delete <name>").description("delete a schedule"), {
    reads: false,
  }).action(remove);
  return schedules;
}

async function list(options: ConnectOptions): Promise<void> {
  const client = connect(options);
  const schedules = await listSchedules(client);
  if (options.json) return printJson(schedules);
  const { automations } = await client.automationActivity({ scheduled: true });
  if (schedules.length + automations.length === 0)
    print(
      "There are no schedules. Create one: millrace schedules create --name NAME --cron CRON --prompt TEXT",
    );
  if (schedules.length > 0)
    printTable(
      ["NAME", "ID", "CRON", "NEXT RUN", "LAST RUN"],
      schedules.map(({ name, id, cron_schedule, timezone, history, enabled }) => [
        name,
        id,
        cronText(cron_schedule, timezone),
        enabled ? (history.next_run ?? "never") : "paused",
        ago(history.last_ran),
      ]),
    );
  if (automations.length > 0) {
    if (schedules.length > 0) print("");
    print("Schedules of automations, which are changed in their files:");
    printTable(
      ["AUTOMATION", "FACTORY", "CRON", "NEXT RUN", "LAST RUN"],
      automations.flatMap(automationRows),
    );
  }
}

/** A row for each schedule in its file. */
function automationRows(automation: Models["AutomationActivity"]): string[][] {
  const { name, factory, enabled, schedules, timezone, next_fire_at, last_run } = automation;
  return schedules.map((schedule) => [
    name,
    factory,
    schedule.cron ? cronText(schedule.cron, timezone) : (schedule.name ?? "schedules of the API"),
    enabled ? (next_fire_at ?? "-") : "disabled",
    ago(last_run?.created_at),
  ]);
}

const cronText = (cron: string, timezone: string): string =>
  timezone === "UTC" ? cron : `${cron} ${timezone}`;

async function show(name: string, options: ConnectOptions): Promise<void> {
  const client = connect(options);
  const schedule = await findSchedule(client, name);
  if (options.json) return printJson(schedule);
  const { history, created_by, updated_by } = schedule;
  printFields({
    name: schedule.name,
    id: schedule.id,
    cron: schedule.cron_schedule,
    timezone: schedule.timezone,
    "next run": schedule.enabled ? (history.next_run ?? "never") : "paused",
    "last run": history.last_ran && ago(history.last_ran),
    trouble: schedule.last_spawn_error,
    ...(await placeOf(client, schedule)),
    config: schedule.agent_config && JSON.stringify(schedule.agent_config),
    "created by": created_by.display_name,
    updated: `${ago(schedule.updated_at)} by ${updated_by.display_name}`,
    prompt: schedule.prompt || null,
  });
}

/** Its factory and its agent by their names; by their uids where they are gone. */
async function placeOf(client: Millrace, { factory_uid: factory, agent_uid: agent }: Schedule) {
  const factories = factory == null ? [] : await client.factories.list({ limit: 500 }).toArray();
  const agents = agent == null ? [] : await client.identities.list({ limit: 500 }).toArray();
  return {
    factory: factories.find(({ uid }) => uid === factory)?.name ?? factory,
    agent: agents.find(({ uid }) => uid === agent)?.name ?? agent,
  };
}

async function create(options: CreateOptions): Promise<void> {
  const client = connect(options);
  const { agent } = options;
  const body = await scheduleFrom({
    ...options,
    ...(agent ? { agent: (await findAgent(client, agent)).uid } : {}),
  });
  if (body.name === undefined || body.cron_schedule === undefined) {
    throw new MillraceError("invalid_request", "A schedule requires a name and a cron expression.", {
      remedy: "Specify --name, --cron and --prompt, or --file with name, cron_schedule and prompt.",
    });
  }
  const created = await client.schedules.create(body as NewSchedule);
  if (options.json) printJson(created);
  else print(created.id);
}

async function scheduleFrom({
  file,
  name,
  cron,
  timezone,
  prompt,
  agent,
  paused,
}: CreateOptions): Promise<Partial<NewSchedule>> {
  return {
    ...(file === undefined ? {} : await readJsonObject(file)),
    ...(name === undefined ? {} : { name }),
    ...(cron === undefined ? {} : { cron_schedule: cron }),
    ...(timezone === undefined ? {} : { timezone }),
    ...(prompt === undefined ? {} : { prompt }),
    ...(agent === undefined ? {} : { agent_uid: agent }),
    ...(paused ? { enabled: false } : {}),
  };
}

async function pause(name: string, options: ConnectOptions): Promise<void> {
  const client = connect(options);
  const paused = await client.schedules.pause((await findSchedule(client, name)).id);
  if (options.json) printJson(paused);
  else print(`Paused schedule ${paused.name}.`);
}

async function resume(name: string, options: ConnectOptions): Promise<void> {
  const client = connect(options);
  const resumed = await client.schedules.resume((await findSchedule(client, name)).id);
  if (options.json) printJson(resumed);
  else print(`Resumed schedule ${resumed.name}. Next run: ${resumed.history.next_run}.`);
}

async function remove(name: string, options: ConnectOptions): Promise<void> {
  const client = connect(options);
  const schedule = await findSchedule(client, name);
  await client.schedules.delete(schedule.id);
  print(`Deleted schedule ${schedule.name}.`);
}

function listSchedules(client: Millrace): Promise<Schedule[]> {
  return client.schedules.list({ limit: 500 }).toArray();
}

/** A schedule by its id, or by its name when no other has it. @throws MillraceError */
async function findSchedule(client: Millrace, name: string): Promise<Schedule> {
  const all = await listSchedules(client);
  const [found, another] = all.filter((schedule) => schedule.id === name || schedule.name === name);
  if (found && !another) return found;
  if (found) {
    throw new MillraceError("invalid_request", `Several schedules are named "${name}".`, {
      remedy: "Specify one by its ID; run `millrace schedules list` to see the IDs.",
    });
  }
  throw new MillraceError("resource_not_found", `There is no schedule "${name}".`, {
    remedy: "Run `millrace schedules list` to list the schedules that the API key can access.",
  });
}
