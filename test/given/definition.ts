import { createHash } from "node:crypto";
import { loadDefinition } from "../../src/definitions/loading/load.ts";
import type { Loaded } from "../../src/definitions/loading/loaded.ts";
import type { Tree, TreeEntry } from "../../src/git/revision.ts";
import type { Files } from "./folder.ts";

const FACTORY_LINES = `schemaVersion: v1alpha1
name: acme
repositories: [{ owner: acme, name: shop }]
agentDefaults: { harness: { type: command, model: none } }
`;
/** Most servers of tests know no forge. */
const GOES_WITHOUT_REPOSITORIES = "millrace: { repositories: optional }\n";

/**
 * The smallest tree with a factory.yaml that is valid: one agent, the foreman, on the agent command. Its runs go without
 * the repository where no forge has it.
 */
export const FACTORY: Files = {
  "factory.yaml": FACTORY_LINES + GOES_WITHOUT_REPOSITORIES,
  "agents/boss/agent.md": "---\nagentType: FOREMAN\n---\nYou do the work.\n",
};

/** The smallest valid tree, with more lines in its factory.yaml, the first of which is the fifth. */
export function withFactoryLines(lines: string): Files {
  const last = lines.includes("millrace:") ? "" : GOES_WITHOUT_REPOSITORIES;
  return { ...FACTORY, "factory.yaml": FACTORY_LINES + lines + last };
}

/** The smallest valid tree, whose runs need the repository of its factory.yaml. */
export function withNeededRepository(): Files {
  return { ...FACTORY, "factory.yaml": FACTORY_LINES };
}

/** The smallest valid tree, with this text as webhooks/w.yaml. */
export function withWebhook(text: string): Files {
  return { ...FACTORY, "webhooks/w.yaml": text };
}

/** A token webhook whose secret is CI_SECRET. */
export const TOKEN_WEBHOOK = "secretName: CI_SECRET\n";

/** A webhook whose deliveries are signed by a scheme. */
export function signatureWebhook(scheme: string, secretName: string): string {
  return `authMode: signature\nsignatureScheme: ${scheme}\nsecretName: ${secretName}\n`;
}

/** An automation that listens to webhooks by the names of their files, with a payload filter if one is given. */
export function automationOn(webhooks: string[], filter?: object, prompt = "Do something about it."): string {
  const payload = filter === undefined ? "" : `    filter: { payload: ${JSON.stringify(filter)} }\n`;
  return `---
triggers:
  - provider: webhook
    event: received
    millrace: { webhooks: ${JSON.stringify(webhooks)} }
${payload}---
${prompt}
`;
}

/** An automation with this as its block `millrace`. */
export function withMillrace(automation: string, block: string): string {
  return automation.replace("---\n", () => `---\nmillrace: ${block}\n`);
}

/** An automation with these lines as its front matter. */
export function automationWith(frontMatter: string): string {
  return `---\n${frontMatter.replace(/\n?$/, "\n")}---\nDo something about it.\n`;
}

/** A tree in memory, as git or a folder would give it. */
export function treeOf(files: Files, special: Partial<TreeEntry>[] = []): Tree {
  const entries: TreeEntry[] = Object.entries(files).map(([path, content]) => {
    const bytes = Buffer.from(content);
    return { path, kind: "file", size: bytes.length, id: createHash("sha1").update(bytes).digest("hex") };
  });
  const extra = special.map((entry): TreeEntry => ({ path: "", kind: "file", size: 0, id: "x", ...entry }));
  const contents = new Map(entries.map((entry) => [entry.id, Buffer.from(files[entry.path] ?? "")]));
  return {
    revision: { id: "r1", author: undefined, message: undefined },
    entries: [...entries, ...extra],
    read: async (wanted) => new Map(wanted.map(({ id }) => [id, contents.get(id) ?? Buffer.alloc(0)])),
  };
}

/** Loads a tree of these files. */
export function load(files: Files): Promise<Loaded> {
  return loadDefinition(treeOf(files), "source");
}

/**
 * The problems of a tree as `CODE path:line:column`, in the order in which they are shown; without notices, and without the
 * warnings that triggers have no webhook.
 */
export async function problemsOf(files: Files): Promise<string[]> {
  const { problems } = await load(files);
  return problems
    .filter(({ severity, code }) => severity !== "notice" && code !== "FF_TRIGGER_NOT_FED")
    .map(({ code, path, line, column }) => `${code} ${path}:${line}:${column}`);
}
