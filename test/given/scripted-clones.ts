import { readdirSync } from "node:fs";
import { join } from "node:path";
import { withNeededRepository } from "./definition.ts";
import { type Files, folderWith } from "./folder.ts";
import { serveOverHttp } from "./git-http.ts";
import { serverWithSandbox } from "./isolated.ts";
import { aForge } from "./repository.ts";
import { waitFor } from "./server.ts";

/**
 * A server with a forge over HTTP, to which everybody may push, and whose repository acme/shop is the factory's. Its agents
 * are shell scripts: the prompt of a turn is what the turn does.
 */
export async function scriptedClones(
  sandbox: string,
  { shop, env = {} }: { shop?: Files; env?: Record<string, string> } = {},
) {
  const forge = aForge();
  const repository = forge.repository("acme/shop", shop);
  const host = await serveOverHttp(repository.url, "unused");
  host.isOpen = true;
  host.rewrite = (path) => `/${path.split("/").at(-1)}`;
  const settings = `forges: { home: { baseUrl: "${new URL(host.url).origin}" } }\n`;
  const config = join(folderWith({ "millrace.yaml": settings }), "millrace.yaml");
  const start = async (mode: string, dataDir?: string) => {
    const made = await serverWithSandbox(mode, "", {
      env: { MILLRACE_AGENT_COMMAND: "sh prompt.md", ...env },
      files: { ...withNeededRepository(), "agents/boss/agent.md": "---\nagentType: FOREMAN\n---\n" },
      args: ["--config", config],
      dataDir,
    });
    return { ...made, say: sayTo(made), workspaces: join(made.dataDir, "workspaces") };
  };
  const made = await start(sandbox);
  return {
    ...made,
    repository,
    /** Another server on the same data, when this one has ended. */
    again: (mode: string) => start(mode, made.dataDir),
  };
}

/** Sends a message to a run that has ended. @returns how the turn that it begins ends, and what that has written */
function sayTo({ server, story }: Awaited<ReturnType<typeof serverWithSandbox>>) {
  return async (id: string, message: string) => {
    const before = await story.transcript(id);
    const { run_time } = await story.run(id);
    await server.api("POST", `/agent/runs/${id}/followups`, { message });
    await waitFor(async () => (await story.run(id)).run_time !== run_time);
    const { state } = await story.ended(id);
    return { state, said: (await story.transcript(id)).slice(before.length) };
  };
}

/** The folder of a server's only mirror. */
export function mirrorOf(dataDir: string): string {
  const folder = join(dataDir, "git", "mirrors");
  const [name = "", ...more] = readdirSync(folder);
  if (more.length > 0) throw new Error(`there are more mirrors than one: ${more.join(", ")}`);
  return join(folder, name);
}

const ATTEMPTS: Readonly<Record<string, string>> = {
  read: 'cat "$pack"',
  "new file": 'touch "$objects/new"',
  "new pack": 'touch "$objects/pack/new"',
  "new folder": 'mkdir "$objects/aa"',
  "new neighbour": 'touch "$objects/../new"',
  append: 'echo x >> "$pack"',
  mode: 'chmod 666 "$pack"',
  owner: 'chown "$(id -u)" "$pack"',
  time: 'touch "$pack"',
  remove: 'rm -f "$pack" && ! test -e "$pack" && test -d "$objects"',
  rename: 'mv -f "$pack" "$pack.away"',
  "move all": 'mv "$objects" "$objects.away"',
  "write over a link": 'ln -f "$pack" linked && chmod 666 linked && echo x >> linked',
};

/** A script that tries to do harm to a folder of objects, and tells what it could do. */
export function attemptsOn(objects: string): string {
  return [
    `objects=${objects}; for pack in "$objects"/pack/*.pack; do :; done`,
    ...Object.entries(ATTEMPTS).map(
      ([name, command]) =>
        `if ( ${command} ) > /dev/null 2>&1; then echo "${name}: done"; else echo "${name}: no"; fi`,
    ),
  ].join("\n");
}
