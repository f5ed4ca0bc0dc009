import { join } from "node:path";
import { withNeededRepository } from "./definition.ts";
import { type Files, folderWith } from "./folder.ts";
import { type GitHttp, serveOverHttp } from "./git-http.ts";
import { aForge } from "./repository.ts";
import { type Server, startServer, waitFor } from "./server.ts";
import { sourceFor } from "./serving.ts";
import { type Factory, storyOf } from "./story.ts";

/** What the forge of the tenants asks for. */
export const FORGE_TOKEN = "forge-t0ken-of-acme";

/** A file of the private repository, and what its agent says of it and of the token to push. */
const PRIVATE = "For the eyes of acme.";
const AGENT = `
  import { existsSync, readFileSync, readdirSync } from "node:fs";
  console.log(existsSync("shop/a") ? readFileSync("shop/a", "utf8") : "no clone");
  console.log("token " + (process.env.GITHUB_ACCESS_TOKEN ?? "none").slice(0, 4));
  console.log("skills " + (existsSync("skills") ? readdirSync("skills").join() : ""));`;

/** The source of a factory, which is called by its name, too; the server has a process of its own. */
export function sourceOf(name: string, files: Files): string {
  const yaml = String(files["factory.yaml"]).replace("name: acme", `name: ${name}`);
  return sourceFor({ ...files, "factory.yaml": yaml }, { sharesProcess: false }, name);
}

/** A forge with the private repository acme/shop, which has a skill. */
export async function privateHost(): Promise<{ host: GitHttp; baseUrl: string }> {
  const forge = aForge();
  forge.repository("acme/shop", { a: PRIVATE, ".agents/skills/review/SKILL.md": "Look closely.\n" });
  const host = await serveOverHttp(join(forge.path, "every.git"), FORGE_TOKEN);
  return { host, baseUrl: new URL(host.url).origin };
}

/** A forge of the settings, with the token that opens it and with these keys too. */
export const forgeWith = (baseUrl: string, keys = "") =>
  `forges: { home: { baseUrl: "${baseUrl}", token: { env: FORGE_TOKEN }${keys} } }\n`;

/**
 * A server of the factories "acme" and "other", whose definitions name the private repository alike; by the settings it is
 * whose it is.
 */
export async function tenants(
  settings: string,
  {
    dataDir,
    files = {},
    env = {},
    names = ["acme", "other"],
    sources,
    agent = AGENT,
  }: {
    dataDir?: string;
    files?: Files;
    env?: Record<string, string>;
    names?: string[];
    /** Those of a server that is started again. */
    sources?: string[];
    agent?: string;
  } = {},
) {
  const config = join(folderWith({ "millrace.yaml": settings }), "millrace.yaml");
  const all = { ...withNeededRepository(), ...files };
  const served = sources ?? names.map((name) => sourceOf(name, all));
  const server = await startServer({
    sources: served,
    args: ["--config", config],
    env: { FORGE_TOKEN, ...env },
    agent,
    ...(dataDir === undefined ? {} : { dataDir }),
  });
  await waitFor(async () => (await server.fetch("/readyz")).status === 200);
  return { server, sources: served, ...(await tenantsOf(server)) };
}

/** How a server's tenants work with it. */
export async function tenantsOf(server: Server) {
  const story = storyOf(server);
  const { factories } = await server.api<{ factories: Factory[] }>("GET", "/factories");
  for (const { uid } of factories) await server.api("POST", `/factories/${uid}/sync?wait=true`);
  const ended = async (run_id: string) => {
    const { state, status_message } = await story.ended(run_id);
    return { state, message: status_message?.message ?? "", transcript: await story.transcript(run_id) };
  };
  return {
    story,
    /** The uid of a factory. */
    async uidOf(name: string) {
      return (await server.api<Factory>("GET", `/factories/${name}`)).uid;
    },
    ended,
    /** Asks for a run of a factory. @returns how it ended */
    async run(factory: string | undefined, body: object = {}) {
      const asked = { prompt: "Do it.", ...(factory === undefined ? {} : { factory }), ...body };
      return ended((await server.api<{ run_id: string }>("POST", "/agent/runs", asked)).run_id);
    },
    /** What is said of a factory's definition. */
    async problemsOf(name: string) {
      const { sync } = await server.api<Factory>("POST", `/factories/${name}/sync?wait=true`);
      return sync.problems.filter(({ severity }) => severity === "warning").map(({ message }) => message);
    },
  };
}
