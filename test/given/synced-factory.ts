import { join } from "node:path";
import { FACTORY, TOKEN_WEBHOOK } from "./definition.ts";
import { temporaryFolder } from "./folder.ts";
import { repositoryWith } from "./repository.ts";
import { startServer, waitFor } from "./server.ts";
import { storyOf } from "./story.ts";

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
  await waitFor(async () => (await begun.story.factory()).sync.status === "synced");
  return { repository, first, dataDir, start, ...begun };
}
