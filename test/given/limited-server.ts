import { join } from "node:path";
import { serverWithAgent } from "./agent.ts";
import { ask } from "./ask.ts";
import { withFactoryLines } from "./definition.ts";
import { folderWith } from "./folder.ts";
import { LOOPBACK_ALLOWED, receiver, SIGNING_SECRET } from "./outbound.ts";
import { waitFor } from "./server.ts";

interface Hold {
  id: string;
  credential: string;
  model: string;
  until: string;
  reason: string;
  kind: string;
}

/** In an hour, in seconds since 1970, as claude prints it. */
const resetsAt = Math.floor(Date.now() / 1_000) + 3_600;
export const LIMITED_UNTIL = new Date(resetsAt * 1_000).toISOString();
export const LIMIT = `Claude AI usage limit reached|${resetsAt}`;

/** Reaches its limit in the first turn of its first run, and says what it was started with in all others. */
const AGENT = `
  import { existsSync, writeFileSync } from "node:fs";
  const say = (event) => console.log(JSON.stringify(event));
  const words = process.argv.slice(2);
  say({ type: "system", subtype: "init", session_id: "the-session" });
  const isOut = !existsSync(process.env.OUT) && words.includes("first");
  if (isOut) writeFileSync(process.env.OUT, "");
  if (!isOut) say({ type: "assistant", message: { id: "1", content: [{ type: "text", text: "With " + words.join(" ") }] } });
  say({ type: "result", is_error: isOut, result: isOut ? "${LIMIT}" : "With " + words.join(" ") });
  process.exit(isOut ? 1 : 0);`;

/** A server with one agent, whose program has a limit for its first model. */
export async function limitedServer(own = "") {
  const folder = folderWith({ "agent.mjs": AGENT });
  const command = [process.execPath, join(folder, "agent.mjs")];
  const limited = {
    ...{ command, resume: [...command, "resumed {session}"], model: ["{model}"], output: "claude" },
    environment: { OUT: join(folder, "out") },
  };
  const config = join(folderWith({ "m.yaml": JSON.stringify({ harnesses: { limited } }) }), "m.yaml");
  const agent = `---\nagentType: FOREMAN\nharness: { type: limited, model: first }\n${own}---\n`;
  const target = await receiver();
  const notify = `{kind: webhook, url: "${target.url}", secretName: NOTIFY, events: [provider.limit]}`;
  const files = {
    ...withFactoryLines(`millrace: { repositories: optional, notify: [${notify}] }\n`),
    "agents/boss/agent.md": agent,
  };
  const made = await serverWithAgent("", { files, env: LOOPBACK_ALLOWED, args: ["--config", config] });
  const { server, story } = made;
  await story.setSecret("NOTIFY", SIGNING_SECRET);
  await story.sync();
  return {
    ...made,
    target,
    held: (id: string) =>
      waitFor(async () => {
        const { state, waiting } = await story.run(id);
        return state === "QUEUED" && waiting?.reason === "provider_limit" ? waiting : undefined;
      }),
    holds: async (key?: string) =>
      (await ask<{ holds: Hold[] }>(server, "GET", "/holds", key ? { key } : {})).body.holds,
    end: async (id: string | undefined, key?: string) =>
      (await ask(server, "DELETE", `/holds/${id}`, key ? { key } : {})).status,
  };
}
