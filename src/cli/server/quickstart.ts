import { randomBytes } from "node:crypto";
import { chmod, readFile, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import sea from "node:sea";
import { Command } from "commander";
import type { Config } from "../../config/config.ts";
import type { SettingName } from "../../config/settings.ts";
import { formatProblem } from "../../definitions/problem.ts";
import { MillraceError, systemCode } from "../../errors/error.ts";
import { randomText } from "../../id.ts";
import { INGRESS_PREFIX } from "../../ingress/locate.ts";
import { assetPath } from "../../platform/assets.ts";
import { makePrivateFolder } from "../../platform/private-folder.ts";
import type { Factory } from "../../reconcile/running-factory.ts";
import { print } from "../output.ts";
import { openLog } from "./log-lines.ts";
import { readConfig, startServing, withSettingFlags } from "./serve.ts";

/** What the agent of the example is run by; a binary is none. */
const NODE = sea.isSea() ? "node" : process.execPath;
/** The managed secret that the example's webhook names. */
const SECRET_NAME = "QUICKSTART_WEBHOOK_SECRET";

export function quickstartCommand(): Command {
  return withSettingFlags(new Command("quickstart"))
    .description("serve the example factory and print how to start a run")
    .action(quickstart);
}

async function quickstart(flags: Partial<Record<SettingName, string>>): Promise<void> {
  const { config, origins } = await readConfig(flags);
  const dataDir = resolve(config.dataDir, "quickstart");
  const example = assetPath("examples/quickstart");
  const secretFile = join(dataDir, "webhook-secret");
  const adminKey = config.adminKey ?? (await madeOnce(join(dataDir, "admin-key"), "mr_"));
  const secret = await madeOnce(secretFile, "");
  const ours: Config = {
    ...config,
    dataDir,
    adminKey,
    agentCommand: config.agentCommand ?? [NODE, join(example, "agent.mjs")],
    secrets: { ...config.secrets, [SECRET_NAME]: { file: secretFile } },
    // The lines below are for a person; the log speaks up when something is wrong.
    logLevel: origins.logLevel === "default" ? "warn" : config.logLevel,
  };
  const controller = await startServing(ours, [example], openLog(ours));
  const factory = controller.factories.get(controller.factories.list()[0]?.record.uid ?? "");
  await factory.start();
  const uid = factory.active?.webhooks[0]?.uid;
  if (uid === undefined) {
    await controller.stop();
    throw notApplied(factory, dataDir);
  }
  const url = `${controller.webhookUrl}${INGRESS_PREFIX}${uid}`;
  const program = sea.isSea() ? "millrace" : `node ${relative(process.cwd(), assetPath("dist/main.js"))}`;
  const commit = randomBytes(4).toString("hex");
  print(instructions({ url, secret, adminKey, program, commit, dataDir, server: controller.publicUrl }));
}

function notApplied({ record }: Factory, dataDir: string): MillraceError {
  const problems = record.sync.problems.filter(({ severity }) => severity === "error");
  return new MillraceError(
    "service_unavailable",
    `The example factory could not be applied:\n${problems.map((problem) => formatProblem(problem)).join("\n")}`,
    { remedy: `Fix the problems above, or delete ${dataDir} to start over.` },
  );
}

function instructions(of: {
  url: string;
  secret: string;
  adminKey: string;
  program: string;
  commit: string;
  dataDir: string;
  server: string;
}): string {
  return `
millrace serves the example factory at ${of.server}

Dashboard (sign in with the API key below):
  ${of.server}/

Ingress URL of its webhook:
  ${of.url}

Start a run by reporting a failed build:
  curl -X POST ${of.url} -H 'Authorization: Bearer ${of.secret}' -H "X-Service-Delivery-Id: ${of.commit}-$(date +%s%N)" -d '{"status":"failed","repository":"acme/shop","branch":"main","commit":"${of.commit}","duration_seconds":312}'

Each time you paste the command, it starts another run, because the delivery ID is new. A delivery with an ID that was already used is a duplicate and starts no run.

Check the result:
  export MILLRACE_SERVER=${of.server} MILLRACE_API_KEY=${of.adminKey}
  ${of.program} runs list
  ${of.program} runs logs

API key: ${of.adminKey}
Data folder: ${of.dataDir}

Ctrl-C stops the server.`;
}

/** A random text that is made at the first start and found again at every later one, readable by this user alone. */
async function madeOnce(path: string, prefix: string): Promise<string> {
  try {
    return (await readFile(path, "utf8")).trim();
  } catch (error) {
    if (systemCode(error) !== "ENOENT") throw error;
  }
  const text = prefix + randomText(40);
  await makePrivateFolder(dirname(path));
  await writeFile(path, `${text}\n`, { mode: 0o600 });
  await chmod(path, 0o600);
  return text;
}
