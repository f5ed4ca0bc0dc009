import { Readable } from "node:stream";
import type { Command } from "commander";
import { deliveryIdStart } from "../arguments.ts";
import { asClientCommand, type ConnectOptions, chosenFactory, connect } from "../connect.ts";
import { print, printJson } from "../output.ts";
import { present } from "../present.ts";
import { safePath, writeSafely } from "../safe-file.ts";
import { findDeliveryId } from "./find-delivery.ts";

interface MakeTestOptions extends ConnectOptions {
  automation: string;
  name?: string;
  output?: string;
  force?: true;
}

/** Adds the command that turns a delivery into a test of an automation. */
export function addDeliveryTests(deliveries: Command): void {
  asClientCommand(
    deliveries
      .command("make-test")
      .description("print a delivery as a test of an automation, or write the file of the test"),
    { ofFactory: true },
  )
    .argument("<id>", "delivery ID, or its first characters", deliveryIdStart)
    .requiredOption("--automation <name>", "automation that the test is for")
    .option("--name <name>", "name of the file, without .yaml (default: delivery)")
    .option("--output <dir>", "write the file below this folder, which is the root of the definition")
    .option("--force", "with --output: replace a file that exists")
    .action(makeTest);
}

async function makeTest(given: string, options: MakeTestOptions): Promise<void> {
  const { automation, name, output, force = false, json } = options;
  const client = connect(options);
  const factory = await chosenFactory(client, options);
  const id = await findDeliveryId(client, factory, given);
  const test = await client.deliveries.makeTest(factory, id, { automation, ...present({ name }) });
  if (output !== undefined) {
    const path = await writeSafely(output, safePath(test.path), Readable.from([Buffer.from(test.content)]), {
      replaces: force,
    });
    if (json) printJson({ ...test, written: path });
    else print(`wrote ${path}`);
  } else if (json) printJson(test);
  else print(`# ${test.path}\n${test.content.trimEnd()}`);
}
