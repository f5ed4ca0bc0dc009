import { execFileSync } from "node:child_process";
import { chmodSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { components } from "../../src/client/api-types.ts";
import { type Answer, ask } from "./ask.ts";
import { folderWith, temporaryFolder } from "./folder.ts";
import { runGit } from "./repository.ts";
import { type Server, type ServerOptions, startServer, waitFor } from "./server.ts";

type Models = components["schemas"];
export type Created = Models["CreatedWebhook"];
export type Rotated = Models["RotatedWebhook"];
export type Webhook = Models["Webhook"];
type Asked = Parameters<typeof ask>[3];

/** An automation that any delivery of a webhook fires. */
export const listeningTo = (webhook: string, prompt = "Do it.") =>
  `---\ntriggers:\n  - { provider: webhook, event: received, millrace: { webhooks: [${webhook}] } }\n---\n${prompt}\n`;

/** A server with nothing but the factory that it keeps itself, and the ways to change that. */
export async function serveManaged(options: Partial<ServerOptions> = {}) {
  const server = await startServer({ sources: [], ...options });
  await waitFor(async () => (await server.fetch("/readyz")).status === 200);
  return managedBy(server);
}

/** How the factories are changed that a server keeps. */
export function managedBy(server: Server, factory = "default") {
  const call = <Body = Record<string, unknown>>(method: string, rest: string, options?: Asked) =>
    ask<Body>(server, method, `/factories/${factory}${rest}`, options);
  const kept = {
    server,
    call,
    factory: () => server.api<Models["Factory"]>("GET", `/factories/${factory}`),
    revisions: async () =>
      (await server.api<Models["RevisionList"]>("GET", `/factories/${factory}/revisions?limit=500`))
        .revisions,
    webhooks: async () =>
      (await server.api<Models["WebhookList"]>("GET", `/factories/${factory}/webhooks?limit=100`)).webhooks,
    create: (webhook: Partial<Models["NewWebhook"]> & { name: string }) =>
      server.api<Created>("POST", `/factories/${factory}/webhooks`, webhook),
    tagOf: async (rest: string) => (await call("GET", rest)).headers.get("etag") ?? "",
    /** Changes something as somebody does who has just looked at it. */
    async change<Body = Record<string, unknown>>(
      method: string,
      rest: string,
      body?: unknown,
    ): Promise<Answer<Body>> {
      const headers = { "if-match": await kept.tagOf(rest) };
      return call<Body>(method, rest, { headers, ...(body === undefined ? {} : { body }) });
    },
    /** Git, in the repository of the factory. */
    async git(...args: string[]): Promise<string> {
      const { source } = await kept.factory();
      return runGit(source.url ?? "", ...args);
    },
    /** Posts a delivery. @returns the status */
    async deliver(url: string, bearer?: string, body = `{"n":${Math.random()}}`): Promise<number> {
      const headers = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` };
      return (await fetch(url, { method: "POST", headers, body })).status;
    },
  };
  return kept;
}

/** A git that kills the server that has called it, right before it moves the branch of a factory. */
export function gitThatKillsItsServer() {
  const git = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
  const armed = join(temporaryFolder(), "armed");
  const script = `#!/bin/sh
if [ "$1" = update-ref ] && [ -e ${armed} ]; then kill -9 $PPID; exit 1; fi
exec ${git} "$@"
`;
  const folder = folderWith({ git: script });
  chmodSync(join(folder, "git"), 0o755);
  return { path: `${folder}:${process.env.PATH}`, arm: () => writeFileSync(armed, "") };
}

/** The names of the repositories that a server keeps. */
export function managedRepositories({ dataDir }: Server): string[] {
  return readdirSync(join(dataDir, "factories")).sort();
}
