import { join } from "node:path";
import sea from "node:sea";
import type { Config } from "../../config/config.ts";
import { MILLRACE } from "../../git/managed/managed-branch.ts";
import { managedRepository } from "../../git/managed/managed-repository.ts";
import { listAssets, readAsset, readAssetBytes } from "../../platform/assets.ts";

/** What the agent of an example is run by; a binary is none. */
const NODE = sea.isSea() ? "node" : process.execPath;

/** A factory to try, and what to send it. */
export interface Example {
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

export const EXAMPLES = { report, factory };

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
