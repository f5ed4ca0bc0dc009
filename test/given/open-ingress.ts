import { FACTORY, TOKEN_WEBHOOK } from "./definition.ts";
import type { Files } from "./folder.ts";
import { AMPLE_BUDGETS, serving } from "./serving.ts";

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
