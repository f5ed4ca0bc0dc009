import { Command } from "commander";
import { asClientCommand, connect } from "../connect.ts";
import { present } from "../present.ts";
import { awaitEnd } from "./run-end.ts";
import { actOnSeveral, forSeveralRuns, type SeveralOptions } from "./several-runs.ts";

interface AgainOptions extends SeveralOptions {
  wait?: true;
  idempotencyKey?: string;
}

export function runAgainCommand(): Command {
  const command = new Command("again").description(
    "run ended runs again, each with its own automation and delivery, by ID or by filters",
  );
  return forSeveralRuns(asClientCommand(command))
    .option(
      "--idempotency-key <key>",
      "idempotency key: retries with the same key start one run for each repeated run",
    )
    .option("--wait", "wait until each new run has ended")
    .action(again);
}

async function again(starts: string[] = [], options: AgainOptions = {} as AgainOptions): Promise<void> {
  const client = connect(options);
  const { idempotencyKey: key } = options;
  await actOnSeveral(client, starts, options, {
    states: ["SUCCEEDED", "FAILED", "ERROR", "CANCELLED"],
    question: (runs) => `Run ${runs} again?`,
    async act(id) {
      // One key of the command is as many as there are runs: a key is for one request.
      const idempotencyKey = key === undefined ? undefined : `${key}-${id}`;
      const answer = await client.runs.again(id, present({ idempotencyKey }));
      if (options.wait) await awaitEnd(client, answer.run_id, {});
      return {
        done: `Started run ${answer.run_id}, which repeats run ${id}.`,
        json: options.wait ? await client.runs.get(answer.run_id) : answer,
      };
    },
  });
}
