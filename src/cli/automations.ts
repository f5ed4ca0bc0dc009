import { Command } from "commander";
import type { Models } from "../client/client.ts";
import { asClientCommand, type ConnectOptions, chosenFactory, connect } from "./connect.ts";
import { ago, print, printFields, printJson, printTable } from "./output.ts";

export function automationsCommand(): Command {
  const automations = new Command("automations").description("what starts runs");
  asClientCommand(automations.command("list").description("list the automations of a factory"), {
    ofFactory: true,
  }).action(list);
  asClientCommand(automations.command("show <name>").description("show an automation"), {
    ofFactory: true,
  }).action(show);
  return automations;
}

async function list(options: ConnectOptions): Promise<void> {
  const client = connect(options);
  const automations = await client.automations
    .list(await chosenFactory(client, options), { limit: 500 })
    .toArray();
  if (options.json) printJson(automations);
  else if (automations.length === 0)
    print("There are no automations. Add one: automations/<name>/automation.md.");
  else {
    printTable(
      ["NAME", "ENABLED", "AGENT", "TRIGGERS"],
      automations.map(({ name, enabled, agent, triggers }) => [
        name,
        enabled ? "yes" : "no",
        agent,
        triggers.map(triggerText).join("; "),
      ]),
    );
  }
}

async function show(name: string, options: ConnectOptions): Promise<void> {
  const client = connect(options);
  const factory = await chosenFactory(client, options);
  const automation = await client.automations.get(factory, name);
  if (options.json) printJson(automation);
  else {
    printFields({
      name: automation.name,
      uid: automation.uid,
      enabled: automation.enabled ? "yes" : "no",
      agent: automation.agent,
      triggers: automation.triggers.map(triggerText).join("\n"),
      filters: automation.triggers.map(({ payload }) => (payload ? JSON.stringify(payload) : "-")).join("\n"),
      prompt: automation.prompt,
      "defined in": automation.defined_in.path,
      updated: ago(automation.updated_at),
    });
  }
}

function triggerText({ provider, event, webhooks, schedule }: Models["AutomationTrigger"]): string {
  if (webhooks)
    return `${provider} ${webhooks.map(({ name, uid }) => name ?? `${uid} (unknown)`).join(", ")}`;
  return schedule?.cron ? `${provider} ${schedule.cron}` : `${provider} ${event}`;
}
