import { Command } from "commander";
import { MillraceError } from "../../errors/error.ts";
import { givenText } from "../input.ts";
import { print, printJson, printTable } from "../output.ts";
import { connectOwn } from "./connect-own.ts";

interface Printed {
  json?: true;
}

/** What an agent knows of its work and of the others. */
export function familyCommands(): Command[] {
  return [
    new Command("list")
      .description("list the agents that you may start, or the runs that descend from yours")
      .option("--runs", "list the runs instead of the agents")
      .action(list),
    new Command("delivery")
      .description("print the payload of the delivery that this is about; --json adds its event and headers")
      .argument("[id]", "ID of another delivery, if there are several; default: the newest")
      .action(delivery),
    new Command("note")
      .description("print or change the note that your run shares with the runs of its family")
      .argument("[text]", "new text, or - to read it from standard input; without it, the note is printed")
      .option("--append", "add the text to the end instead of replacing the note")
      .action(note),
    new Command("move")
      .description("move the task that your run belongs to")
      .argument("<stage>", "TRIAGE, SPEC, IMPLEMENT, REVIEW, COMPLETE or CANCELLED")
      .action(move),
  ];
}

async function list({ runs: ofRuns, json }: Printed & { runs?: true }): Promise<void> {
  const { api, runId, path } = connectOwn();
  if (ofRuns) {
    const query = { ancestor_run_id: runId, limit: 100 };
    const { runs } = await api.call("get", "/agent/runs", { query }, {});
    if (json) return printJson(runs);
    if (runs.length === 0) return print("Your run has started no other run.");
    return printTable(
      ["ID", "STATE", "TITLE"],
      runs.map(({ run_id, state, title }) => [run_id, state, title]),
      { isCut: true },
    );
  }
  const { agents } = await api.call("get", "/agent/runs/{runId}/agents", { path }, {});
  if (json) return printJson(agents);
  const startable = agents.filter(({ may_start }) => may_start);
  if (startable.length === 0) return print("Your run may not start other agents.");
  printTable(
    ["NAME", "TYPE", "DESCRIPTION"],
    startable.map(({ name, type, description }) => [name, type, description]),
    { isCut: true },
  );
}

async function delivery(id: string | undefined, { json }: Printed): Promise<void> {
  const { api, path } = connectOwn();
  const query = id === undefined ? {} : { delivery_id: id };
  const found = await api.call("get", "/agent/runs/{runId}/delivery", { path, query }, {});
  printJson(json ? found : found.payload);
}

async function note(given: string | undefined, { append, json }: Printed & { append?: true }): Promise<void> {
  const { api, path } = connectOwn();
  if (given === undefined) {
    const read = await api.call("get", "/agent/runs/{runId}/note", { path }, {});
    if (json) printJson(read);
    else if (read.text !== "") print(read.text);
    return;
  }
  const text = await givenText(given, { name: "note" });
  const body = { text, ...(append ? { append } : {}) };
  const written = await api.call("put", "/agent/runs/{runId}/note", { path, body }, {});
  if (json) printJson(written);
  else print("The note was stored. All runs of your family can read it.");
}

async function move(stage: string, { json }: Printed): Promise<void> {
  const { api, path } = connectOwn();
  const run: { factory_uid?: string; task_uid?: string } = await api.call(
    "get",
    "/agent/runs/{runId}",
    { path },
    {},
  );
  if (!run.factory_uid || !run.task_uid) {
    throw new MillraceError("invalid_request", "Your run belongs to no task, so there is none to move.", {
      remedy: "Report what you did with `millrace agent answer` instead.",
    });
  }
  const task = { uid: run.factory_uid, taskUid: run.task_uid };
  const moved = await api.request<object>(
    "patch",
    "/factory/{uid}/tasks/{taskUid}",
    { path: task, body: { stage: stage.toUpperCase() } },
    {},
  );
  if (json) printJson(moved);
  else print(`Moved the task to ${stage.toUpperCase()}.`);
}
