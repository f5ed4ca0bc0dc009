import type { Files } from "./folder.ts";
import { type ServerOptions, startServer } from "./server.ts";
import { sourceFor } from "./source-for.ts";
import { storyOf } from "./story.ts";

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
