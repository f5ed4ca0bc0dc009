import { createHmac } from "node:crypto";
import { FACTORY, withFactoryLines } from "./definition.ts";
import { repositoryWith } from "./repository.ts";
import { startServer, waitFor } from "./server.ts";
import { storyOf } from "./story.ts";

export const SECRET = "a-secret-of-git-hosts";
/** What a host sends when the main branch was pushed to. */
export const MAIN = JSON.stringify({ ref: "refs/heads/main" });

export const hmac = (body: string, secret = SECRET) =>
  createHmac("sha256", secret).update(body).digest("hex");
/** The headers of GitHub. */
export const github = (body: string, secret = SECRET) => ({
  "x-hub-signature-256": `sha256=${hmac(body, secret)}`,
  "x-github-event": "push",
});

/** A server that hears of pushes in no other way: it does not poll. */
export async function hookedServer(env: Record<string, string> = { MILLRACE_HOOK_SECRET: SECRET }) {
  const repository = repositoryWith(FACTORY);
  const server = await startServer({
    sources: [repository.url],
    env: { MILLRACE_POLL_INTERVAL: "1h", MILLRACE_FAILED_AUTH_PER_MINUTE: "1000", ...env },
  });
  const story = storyOf(server);
  await waitFor(async () => (await story.factory()).sync.status === "synced");
  let commits = 0;
  const push = () => {
    commits += 1;
    return repository.push(withFactoryLines(`description: push ${commits}\n`));
  };
  const hook = (headers: Record<string, string>, body = MAIN, name = "acme") =>
    fetch(`${server.url}/hooks/git/${name}`, { method: "POST", headers, body });
  const isApplied = (commit: string) =>
    waitFor(async () => (await story.factory()).sync.applied_revision === commit);
  return { repository, server, story, push, hook, isApplied };
}
