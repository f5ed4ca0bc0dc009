import { Command } from "commander";
import type { Millrace } from "../../client/client.ts";
import { asClientCommand, connect } from "../connect.ts";
import { present } from "../present.ts";
import { findRunId } from "./find-run.ts";
import { awaitEnd } from "./run-end.ts";
import { actOnSeveral, forSeveralRuns, type SeveralOptions } from "./several-runs.ts";

interface CancelOptions extends SeveralOptions {
  wait?: true;
  tree?: true;
}

export function runCancelCommand(): Command {
  const command = new Command("cancel").description(
    "cancel queued or running runs, by ID or by filters; filters show a summary first",
  );
  return forSeveralRuns(asClientCommand(command))
    .option("--tree", "also end all runs that descend from the run, and dismiss their questions")
    .option("--wait", "wait until the run has ended")
    .action(cancel);
}

async function cancel(starts: string[] = [], options: CancelOptions = {} as CancelOptions): Promise<void> {
  const client = connect(options);
  const [start, another] = starts;
  if (options.wait && start !== undefined && another === undefined)
    return cancelAndWait(client, start, options);
  await actOnSeveral(client, starts, options, {
    states: ["QUEUED", "PENDING", "CLAIMED", "INPROGRESS"],
    question: (runs) => `Cancel ${runs}?`,
    async act(id) {
      await client.runs.cancel(id, present({ tree: options.tree }));
      const run = options.wait ? await client.runs.wait(id) : await client.runs.get(id);
      const done =
        run.state === "CANCELLED"
          ? `Cancelled run ${id}.`
          : `Cancelling run ${id}. Its state becomes CANCELLED when its agent has exited.`;
      return { done, json: run };
    },
  });
}

async function cancelAndWait(client: Millrace, start: string, { json, tree }: CancelOptions): Promise<void> {
  const id = await findRunId(client, start);
  await client.runs.cancel(id, present({ tree }));
  await awaitEnd(client, id, { json, wanted: "CANCELLED" });
}
