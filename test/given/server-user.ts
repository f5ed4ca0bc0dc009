import { chmodSync, chownSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { serverWithAgent } from "./agent.ts";
import { FACTORY } from "./definition.ts";
import { type Files, folderWith, temporaryFolder } from "./folder.ts";
import { NOBODY } from "./sandbox-of.ts";

const AS_NOBODY = [
  "setpriv",
  `--reuid=${NOBODY.uid}`,
  `--regid=${NOBODY.gid}`,
  "--clear-groups",
  "--inh-caps=-all",
];

interface Options {
  env?: Record<string, string>;
  files?: Files;
  /** What the server is started with. */
  wrapper?: string[];
  /** How it becomes somebody else. */
  as?: string[];
  /** The data folder and the factory of a server before this one. */
  before?: { dataDir: string; source: string };
}

/** A server with one agent, which is root or somebody else, and runs agents in a sandbox. */
export async function serverOf(
  user: "root" | "nobody",
  sandbox: string,
  agent: string,
  { env = {}, files = {}, wrapper = [], as = AS_NOBODY, before }: Options = {},
) {
  const dataDir = before?.dataDir ?? join(temporaryFolder("millrace-served"), "data");
  const source = before?.source ?? folderWith({ ...FACTORY, ...files });
  const isSomebodyElse = user === "nobody" && process.getuid?.() === 0;
  const owned = [
    dirname(dataDir),
    source,
    ...readdirSync(source, { recursive: true }).map((path) => join(source, String(path))),
  ];
  if (isSomebodyElse) for (const path of owned) chownSync(path, NOBODY.uid, NOBODY.gid);
  chmodSync(dirname(dataDir), 0o755);
  const made = await serverWithAgent(agent, {
    env: { MILLRACE_SANDBOX: sandbox, HOME: "/nonexistent", ...env },
    wrapper: [...wrapper, ...(isSomebodyElse ? as : [])],
    before: { source, server: { dataDir } },
  });
  return { ...made, dataDir };
}
