import { randomBytes } from "node:crypto";
import { chmod, readFile, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import sea from "node:sea";
import { Argument, Command } from "commander";
import type { Config } from "../../config/config.ts";
import type { SettingName } from "../../config/settings.ts";
import { formatProblem } from "../../definitions/problem.ts";
import { MillraceError, systemCode } from "../../errors/error.ts";
import { inShell } from "../../errors/in-shell.ts";
import { randomText } from "../../id.ts";
import { INGRESS_PREFIX } from "../../ingress/locate.ts";
import { assetPath } from "../../platform/assets.ts";
import { makePrivateFolder } from "../../platform/private-folder.ts";
import type { Factory } from "../../reconcile/running-factory.ts";
import { print } from "../output.ts";
import { openLog } from "./log-lines.ts";
import { EXAMPLES, type Example } from "./quickstart-examples.ts";
import { readConfig, startServing, withSettingFlags } from "./serve.ts";

export function quickstartCommand(): Command {
  return withSettingFlags(new Command("quickstart"))
    .description("serve an example factory and print how to start a run")
    .addArgument(
      new Argument("[example]", "report: an agent reports on builds; factory: four agents work on issues")
        .choices(Object.keys(EXAMPLES))
        .default("report"),
    )
    .action(quickstart);
}

async function quickstart(
  name: keyof typeof EXAMPLES,
  flags: Partial<Record<SettingName, string>>,
): Promise<void> {
  const { config, origins } = await readConfig(flags);
  const example = EXAMPLES[name];
  const dataDir = resolve(config.dataDir, example.dataFolder);
  const folder = assetPath(example.path);
  const secretFile = join(dataDir, "webhook-secret");
  const adminKey = config.adminKey ?? (await madeOnce(join(dataDir, "admin-key"), "mr_"));
  const secret = await madeOnce(secretFile, "");
  const ours: Config = {
    ...config,
    ...(await example.prepare(dataDir)),
    dataDir,
    adminKey,
    agentCommand: config.agentCommand ?? example.agentCommand(folder),
    secrets: { ...config.secrets, [example.secretName]: { file: secretFile } },
    // The lines below are for a person; the log speaks up when something is wrong.
    logLevel: origins.logLevel === "default" ? "warn" : config.logLevel,
  };
  const controller = await startServing(ours, [folder], openLog(ours));
  const factory = controller.factories.get(controller.factories.list()[0]?.record.uid ?? "");
  await factory.start();
  const uid = factory.active?.webhooks[0]?.uid;
  if (uid === undefined) {
    await controller.stop();
    throw notApplied(factory, dataDir);
  }
  const url = `${controller.webhookUrl}${INGRESS_PREFIX}${uid}`;
  const program = sea.isSea() ? "millrace" : `node ${relative(process.cwd(), assetPath("dist/main.js"))}`;
  const mark = randomBytes(4).toString("hex");
  const server = controller.publicUrl;
  const listen = flags.listen === undefined ? "" : ` --listen ${inShell(flags.listen)}`;
  print(instructions(example, { url, secret, adminKey, program, mark, dataDir, server, listen }));
}

function notApplied({ record }: Factory, dataDir: string): MillraceError {
  const problems = record.sync.problems.filter(({ severity }) => severity === "error");
  return new MillraceError(
    "service_unavailable",
    `The example factory could not be applied:\n${problems.map((problem) => formatProblem(problem)).join("\n")}`,
    { remedy: `Fix the problems above, or delete ${dataDir} to start over.` },
  );
}

function instructions(
  { deed, delivery, expect, commands, next }: Example,
  of: {
    url: string;
    secret: string;
    adminKey: string;
    program: string;
    mark: string;
    dataDir: string;
    server: string;
    /** The option with the address, where it was given. */
    listen: string;
  },
): string {
  return `
millrace serves the example factory at ${of.server}

Dashboard (sign in with the API key below):
  ${of.server}/

Ingress URL of its webhook:
  ${of.url}

${deed}:
  curl -w '\\n' -X POST ${of.url} -H 'Authorization: Bearer ${of.secret}' -H "X-Service-Delivery-Id: ${of.mark}-$(date +%s%N)" -d '${delivery(of.mark)}'

Each time you paste the command, it starts another run, because the delivery ID is new. A delivery with an ID that was already used is a duplicate and starts no run.
${expect === undefined ? "" : `\n${expect}\n`}
Check the result:
  export MILLRACE_SERVER=${of.server} MILLRACE_API_KEY=${of.adminKey}
${commands.map((words) => `  ${of.program} ${words}`).join("\n")}

API key: ${of.adminKey}
Data folder: ${of.dataDir}
${next === undefined ? "" : `\n${next}:\n  ${of.program} quickstart factory${of.listen}\n`}
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
