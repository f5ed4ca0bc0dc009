import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { components } from "../../src/client/api-types.ts";
import { serverWithAgent } from "./agent.ts";
import { withNeededRepository } from "./definition.ts";
import { type Files, folderWith } from "./folder.ts";
import { aForge, type TestForge } from "./forge.ts";
import type { ObjectFormat } from "./repository.ts";

type Environment = components["schemas"]["CloudEnvironment"];
type EnvironmentConfig = components["schemas"]["CloudEnvironmentConfig"];

/** Tells what is in its workspace, two levels deep, and ends. */
export const LIST_WORKSPACE = `
  import { readdirSync } from "node:fs";
  const list = (path) => readdirSync(path, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() && entry.name !== ".git" && path.split("/").length < 4
      ? [\`\${path}/\${entry.name}/\`, ...list(\`\${path}/\${entry.name}\`)]
      : [\`\${path}/\${entry.name}\`]);
  console.log(list(".").sort().join("\\n"));`;

/** A server with one agent and a forge, whose repository acme/shop is the factory's. */
export async function preparingServer(
  agent: string,
  {
    files = {},
    env = {},
    settings = "",
    forge = aForge(),
    shop = { "README.md": "The shop.\n" } as Files,
    format,
  }: {
    files?: Files;
    env?: Record<string, string>;
    settings?: string;
    forge?: TestForge;
    shop?: Files;
    format?: ObjectFormat;
  } = {},
) {
  const repository = forge.repository("acme/shop", shop, format);
  const config = join(folderWith({ "millrace.yaml": forge.settings + settings }), "millrace.yaml");
  const started = await serverWithAgent(agent, {
    files: { ...withNeededRepository(), ...files },
    env,
    args: ["--config", config],
  });
  return {
    ...started,
    forge,
    repository,
    workspaceOf: (runId: string) => join(started.server.dataDir, "workspaces", runId),
    workspaces: () => readdirSync(join(started.server.dataDir, "workspaces")).sort(),
    /** Makes an environment. @returns its uid */
    async environment(config: Partial<EnvironmentConfig>): Promise<string> {
      const { uid } = await started.server.api<Environment>("POST", "/agent/environments", {
        name: "node",
        ...config,
      });
      return uid;
    },
  };
}
