import { Command } from "commander";
import { ApiError, type Millrace, type Models } from "../../client/client.ts";
import { pluralize } from "../../pluralize.ts";
import { asClientCommand, type ConnectOptions, chosenFactory, connect, etagOf } from "../connect.ts";
import { budgetText } from "../factories/status.ts";
import { readText } from "../input.ts";
import { ago, print, printError, printFields, printJson, printTable } from "../output.ts";
import { lastRunText, successText, summaryFields } from "../runs/run-text.ts";

export function automationsCommand(): Command {
  const automations = new Command("automations").description("manage automations");
  asClientCommand(automations.command("list").description("list the automations of a factory"), {
    ofFactory: true,
  }).action(list);
  asClientCommand(automations.command("show <name>").description("show an automation"), {
    ofFactory: true,
  }).action(show);
  asClientCommand(
    automations.command("set <name>").description("create or replace the file of an automation"),
    { ofFactory: true },
  )
    .requiredOption("--file <file>", "complete text of the file (- for standard input; required)")
    .action(set);
  asClientCommand(automations.command("delete <name>").description("delete an automation and its tests"), {
    ofFactory: true,
  }).action(remove);
  return automations;
}

async function set(name: string, options: ConnectOptions & { file: string }): Promise<void> {
  const content = await readText(options.file, "automation");
  const client = connect(options);
  const factory = await chosenFactory(client, options);
  const automation = await client.automations.put(factory, name, content, await tagOf(client, factory, name));
  if (options.json) printJson(automation);
  else print(`Automation "${automation.name}" is active.`);
  for (const message of await warningsAt(client, factory, automation)) printError(`Warning: ${message}`);
}

/** What the server warns of in the file of an automation, for example a webhook that is not there. */
async function warningsAt(client: Millrace, factory: string, { defined_in }: Models["Automation"]) {
  const { sync } = await client.factories.get(factory);
  return sync.problems
    .filter(({ path, severity }) => path === defined_in?.path && severity === "warning")
    .map(({ message }) => message);
}

async function remove(name: string, options: ConnectOptions): Promise<void> {
  const client = connect(options);
  const factory = await chosenFactory(client, options);
  const { response } = await client.automations.get(factory, name).withResponse();
  await client.automations.delete(factory, name, etagOf(response));
  if (options.json) printJson({ name, deleted: true });
  else print(`Deleted automation "${name}".`);
}

/** What is there now; nothing when there is no such automation. */
async function tagOf(client: Millrace, factory: string, name: string): Promise<string | undefined> {
  try {
    return etagOf(await client.automations.get(factory, name).asResponse());
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}

async function list(options: ConnectOptions): Promise<void> {
  const client = connect(options);
  const factory = await chosenFactory(client, options);
  const automations = await client.automations.list(factory, { limit: 500 }).toArray();
  const { automations: activities } = await client.automationActivity({ factory });
  const activityOf = new Map(activities.map((activity) => [activity.uid, activity]));
  if (options.json) printJson(automations.map((each) => ({ ...each, activity: activityOf.get(each.uid) })));
  else if (automations.length === 0)
    print(
      "There are no automations. To add one, run `millrace automations set NAME --file FILE`, or create automations/NAME/automation.md in the repository.",
    );
  else {
    printTable(
      ["NAME", "ENABLED", "AGENT", "LAST RUN", "SUCCESS", "TRIGGERS"],
      automations.map(({ uid, name, enabled, agent, triggers, timezone }) => [
        name,
        enabled ? "yes" : "no",
        agent,
        lastRunText(activityOf.get(uid)),
        successText(activityOf.get(uid)),
        triggers.map((trigger) => triggerText(trigger, { timezone })).join("; "),
      ]),
    );
  }
}

async function show(name: string, options: ConnectOptions): Promise<void> {
  const client = connect(options);
  const factory = await chosenFactory(client, options);
  const automation = await client.automations.get(factory, name);
  const { automations } = await client.automationActivity({ factory, uid: automation.uid });
  const [activity] = automations;
  if (options.json) printJson({ ...automation, activity });
  else {
    printFields({
      name: automation.name,
      uid: automation.uid,
      enabled: automation.enabled ? "yes" : "no",
      agent: automation.agent,
      triggers: automation.triggers.map((trigger) => triggerText(trigger, automation)).join("\n"),
      filters: automation.triggers.map(filterText).join("\n"),
      limit:
        automation.concurrency === null
          ? "none"
          : `${pluralize(automation.concurrency, "run")} at the same time`,
      ...groupingFields(automation),
      ...(automation.budget ? { budget: budgetText(automation.budget) } : {}),
      ...(automation.triggers.some(({ provider }) => provider === "schedule")
        ? {
            "next run": automation.next_fire_at ?? "never",
            missed: automation.missed === "once" ? "fires once" : "skipped",
          }
        : {}),
      timezone: automation.timezone,
      push: automation.push ? "yes" : "no",
      network: networkText(automation.network),
      ...summaryFields(activity),
      "run title": automation.title ?? "default",
      prompt: automation.prompt,
      "defined in": automation.defined_in.path,
      updated: ago(automation.updated_at),
    });
  }
}

function groupingFields({ concurrency_key: keyed, debounce }: Models["Automation"]): Record<string, string> {
  return {
    ...(keyed && {
      "concurrency key": `${keyed.key}, while running: ${keyed.while_running}, forgotten after ${keyed.forget_after}${
        keyed.while_running === "continue" ? `, at most ${pluralize(keyed.max_turns, "turn")}` : ""
      }`,
    }),
    ...(debounce && { debounce: `${debounce.quiet} without a delivery, at most ${debounce.longest}` }),
  };
}

function triggerText(
  { provider, event, webhooks, schedule }: Models["AutomationTrigger"],
  { timezone }: Pick<Models["Automation"], "timezone">,
): string {
  if (webhooks)
    return `${provider} ${webhooks.map(({ name, uid }) => name ?? `${uid} (unknown)`).join(", ")}`;
  if (!schedule?.cron) return `${provider} ${event}`;
  return `${provider} ${schedule.cron}${timezone === "UTC" ? "" : ` ${timezone}`}`;
}

function filterText({ payload, filter }: Models["AutomationTrigger"]): string {
  const written = payload ?? filter ?? {};
  return Object.keys(written).length === 0 ? "-" : JSON.stringify(written);
}

/** What its file, its agent and its factory say, a line each. */
function networkText(rules: Models["Automation"]["network"]): string {
  if (rules.length === 0) return "not limited by the definition";
  return rules
    .map(({ of, rule }) => {
      if (typeof rule === "string") return `${rule} (${of})`;
      const hosts = rule.allow.length === 0 ? "no hosts" : `only ${rule.allow.join(", ")}`;
      return `${hosts} (${of}${rule.locked ? ", locked" : ""})`;
    })
    .join("\n");
}
