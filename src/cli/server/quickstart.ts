import { randomBytes } from "node:crypto";
import { chmod, readFile, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import sea from "node:sea";
import { Argument, Command } from "commander";
import type { Config } from "../../config/config.ts";
import type { SettingName } from "../../config/settings.ts";
import { formatProblem } from "../../definitions/problem.ts";
import { inShell, MillraceError, systemCode } from "../../errors/error.ts";
import { MILLRACE } from "../../git/managed/managed-branch.ts";
import { managedRepository } from "../../git/managed/managed-repository.ts";
import { randomText } from "../../id.ts";
import { INGRESS_PREFIX } from "../../ingress/arrival.ts";
import { assetPath, listAssets, readAsset, readAssetBytes } from "../../platform/assets.ts";
import { makePrivateFolder } from "../../platform/private-folder.ts";
import type { Factory } from "../../reconcile/running-factory.ts";
import { openLog } from "../log-lines.ts";
import { print } from "../output.ts";
import { readConfig, withSettingFlags } from "../settings.ts";
import { startServing } from "./serve.ts";

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

/** What the agent of an example is run by; a binary is none. */
const NODE = sea.isSea() ? "node" : process.execPath;

/** A factory to try, and what to send it. */
interface Example {
  /** Where its definition is, in the package. */
  path: string;
  /** Its folder in the data folder. */
  dataFolder: string;
  /** The managed secret that its webhook names. */
  secretName: string;
  agentCommand(path: string): string[];
  /** Makes what it needs beside the definition. @returns the settings that name it */
  prepare(dataDir: string): Promise<Partial<Config>>;
  /** What sending the delivery below does. */
  deed: string;
  /** A delivery that starts a run, as JSON. @param mark makes it another one at each start of the server */
  delivery(mark: string): string;
  /** What to expect once it was sent. */
  expect?: string;
  /** Arguments of the program that show the result. */
  commands: string[];
  /** Why to try the factory next, where that is another example. */
  next?: string;
}

const report: Example = {
  path: "examples/quickstart",
  dataFolder: "quickstart",
  secretName: "QUICKSTART_WEBHOOK_SECRET",
  agentCommand: (path) => [NODE, join(path, "agent.mjs")],
  prepare: async () => ({}),
  deed: "Start a run by reporting a failed build",
  delivery: (mark) =>
    `{"status":"failed","repository":"acme/shop","branch":"main","commit":"${mark}","duration_seconds":312}`,
  commands: ["runs list", "runs logs"],
  next: "Next, try a factory of four agents, which turn an issue into a change that you approve. Stop the server, and run",
};

const factory: Example = {
  path: "examples/factory",
  dataFolder: "quickstart-factory",
  secretName: "ISSUES_WEBHOOK_SECRET",
  agentCommand: (path) => ["sh", join(path, "programs", "agent.sh"), join(path, "programs")],
  async prepare(dataDir) {
    await makeRepository(join(dataDir, "forge", "acme", "shop.git"));
    return { forges: { example: { baseUrl: `file://${join(dataDir, "forge")}` } } };
  },
  deed: "Report an issue",
  delivery: (mark) => {
    const issue = JSON.parse(readAsset("examples/factory/issue.json"));
    return JSON.stringify({ ...issue, sender: mark });
  },
  expect:
    "The foreman then starts an implementer and a reviewer, the implementer once more because the reviewer finds a fault, and a verifier. In the end, it asks you to approve the change. Answer on the page of its run, or with the last command below.",
  commands: ["tasks list", "runs list", "runs followup ID_OF_THE_BLOCKED_RUN Approve"],
};

const EXAMPLES = { report, factory };

/** Makes the repository that the agents of the factory clone, at the first start; later it stays as it is. */
async function makeRepository(path: string): Promise<void> {
  const now = () => new Date();
  const { branch, latest } = managedRepository({ path, firstMessage: "Create the repository", now });
  if (!branch) return;
  const tip = await branch.settle(null);
  if ((await latest()).entries.length > 0) return;
  const shop = "examples/factory/shop/";
  const edits = listAssets(shop.slice(0, -1)).map((name) => ({
    path: name.slice(shop.length),
    content: readAssetBytes(name),
  }));
  const message = "Add the totals of carts";
  const { revision } = await branch.commit({ parent: tip, edits, author: MILLRACE, message, at: now() });
  await branch.advance(tip, revision.id);
}
