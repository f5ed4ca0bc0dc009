import { serverWithAgent } from "./agent.ts";
import { automationOn, TOKEN_WEBHOOK, withFactoryLines } from "./definition.ts";
import type { Files } from "./folder.ts";
import { LOOPBACK_ALLOWED, SIGNING_SECRET } from "./receiver.ts";
import { AMPLE_BUDGETS } from "./serving.ts";
import { TOLD_AGENT } from "./told-server.ts";

/** The token of the webhook of {@link serverThatPosts}. */
export const CI_TOKEN = "the-token-of-the-ci-webhook";

/** An outbound webhook, as its file has it. */
export function outboundFile(url: string, events: readonly string[], lines = ""): string {
  return `url: "${url}"\nsecretName: OUTBOUND\nevents: [${events.join(", ")}]\n${lines}`;
}

type Options = NonNullable<Parameters<typeof serverWithAgent>[1]> & {
  /** What stands under `millrace:` in the factory's file. */
  block?: string;
  agent?: string;
};

/** A server whose factory has these outbound webhooks by their names, and their secret; its runs do as their prompts say. */
export async function serverThatPosts(
  outbound: Record<string, string>,
  { block = "", agent = TOLD_AGENT, files = {}, env = {}, before, ...options }: Options = {},
) {
  const own: Files = {
    ...withFactoryLines(`millrace: { repositories: optional${block} }\n`),
    "webhooks/ci.yaml": TOKEN_WEBHOOK,
    "automations/on-ci.md": automationOn(["ci"]),
    ...Object.fromEntries(Object.entries(outbound).map(([name, text]) => [`outbound/${name}.yaml`, text])),
    ...files,
  };
  const given = await serverWithAgent(agent, {
    files: own,
    env: { ...LOOPBACK_ALLOWED, ...AMPLE_BUDGETS, ...env },
    ...(before ? { before } : {}),
    ...options,
  });
  if (!before) {
    await given.story.setSecret("CI_SECRET", CI_TOKEN);
    await given.story.setSecret("OUTBOUND", SIGNING_SECRET);
    await given.story.sync();
  }
  const { name: factory } = await given.story.factory();
  return {
    ...given,
    factory,
    /** Starts a run of the factory. @returns its id */
    startHere: (prompt: string) => given.start({ prompt, factory }),
  };
}
