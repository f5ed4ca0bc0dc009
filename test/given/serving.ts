import { join } from "node:path";
import { FACTORY, TOKEN_WEBHOOK } from "./definition.ts";
import { type Files, folderWith, temporaryFolder, writeFiles } from "./folder.ts";
import { POSTGRES_URL } from "./postgres.ts";
import { repositoryAt, repositoryWith } from "./repository.ts";
import { type Server, type ServerOptions, startServer, waitFor } from "./server.ts";
import { type Factory, storyOf } from "./story.ts";

/** Budgets that no sender of a test uses up. */
export const AMPLE_BUDGETS = {
  MILLRACE_DELIVERIES_PER_MINUTE: "1000000",
  MILLRACE_FAILED_AUTH_PER_MINUTE: "1000000",
};

/** A server that serves these files, once the secrets that they name are set. */
export async function serving(
  files: Files,
  secrets: Readonly<Record<string, string>>,
  options: Omit<ServerOptions, "sources"> = {},
) {
  const source = sourceFor(files, options);
  const server = await startServer({ sources: [source], ...options });
  const story = storyOf(server);
  for (const [name, value] of Object.entries(secrets)) await story.setSecret(name, value);
  await story.sync();
  return { source, server, story };
}

/**
 * The source of a server: a folder with these files. It is a repository for a server that has a process of its own and PostgreSQL,
 * because the program then refuses folders.
 * @param name what it is called
 */
export function sourceFor(
  files: Files,
  { sharesProcess = true }: Pick<ServerOptions, "sharesProcess">,
  name = "source",
): string {
  const path = join(temporaryFolder(), name);
  if (sharesProcess || POSTGRES_URL === undefined) writeFiles(path, files);
  else repositoryAt(path).push(files);
  return path;
}

export const TOKEN = "the-token";
export const authorized = { authorization: `Bearer ${TOKEN}` };

/** A server whose webhook ci takes that token, with budgets for as many senders as a test has. */
export async function openIngress(files: Files = {}) {
  const { server, story } = await serving(
    { ...FACTORY, "webhooks/ci.yaml": TOKEN_WEBHOOK, ...files },
    { CI_SECRET: TOKEN },
    { env: AMPLE_BUDGETS, sharesProcess: false },
  );
  const { url, uid } = await story.webhook("ci");
  return { server, story, url, uid };
}

/** A server with the factories "acme" and "other" in force, each with the agent "boss" and with these files too. */
export async function twoFactories(
  more: Files = {},
  { secrets = {}, ...options }: Omit<ServerOptions, "sources"> & { secrets?: Record<string, string> } = {},
): Promise<{ server: Server; acme: string; other: string }> {
  const named = (name: string) =>
    folderWith({
      ...FACTORY,
      ...more,
      "factory.yaml": String(FACTORY["factory.yaml"]).replace("acme", name),
    });
  const server = await startServer({ sources: [named("acme"), named("other")], ...options });
  for (const [name, value] of Object.entries(secrets))
    await server.api("PUT", `/secrets/${name}`, { value, shared: true });
  const { factories } = await server.api<{ factories: Factory[] }>("GET", "/factories");
  const synced = await Promise.all(
    factories.map(({ uid }) => server.api<Factory>("POST", `/factories/${uid}/sync?wait=true`)),
  );
  const uidOf = (name: string) => synced.find((factory) => factory.name === name)?.uid ?? "";
  return { server, acme: uidOf("acme"), other: uidOf("other") };
}

const WITH_WEBHOOK = { ...FACTORY, "webhooks/ci.yaml": TOKEN_WEBHOOK };

/** A server whose factory has been synced from a repository once, and which can be started again. */
export async function syncedFactory(files: Record<string, string | Buffer> = WITH_WEBHOOK) {
  const repository = repositoryWith(files);
  const first = repository.git("rev-parse", "HEAD");
  const dataDir = join(temporaryFolder(), "data");
  const start = async () => {
    const server = await startServer({ sources: [repository.url], dataDir });
    return { server, story: storyOf(server) };
  };
  const begun = await start();
  await begun.story.setSecret("CI_SECRET", "x");
  // After the pass that the secret asks for: it would take over what a test pushes next.
  await begun.story.sync();
  await waitFor(async () => (await begun.story.factory()).sync.status === "synced");
  return { repository, first, dataDir, start, ...begun };
}
