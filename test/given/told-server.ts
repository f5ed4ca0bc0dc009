import { join } from "node:path";
import { serverWithAgent } from "./agent.ts";
import { folderWith } from "./folder.ts";
import { LOOPBACK_ALLOWED } from "./receiver.ts";

/** An agent whose runs fail, ask or end well, as their prompts say. */
export const TOLD_AGENT = `
  import { readFileSync } from "node:fs";
  const prompt = readFileSync(0, "utf8");
  const { MILLRACE_API_URL: url, MILLRACE_RUN_ID: id, MILLRACE_RUN_TOKEN: token } = process.env;
  const headers = { authorization: "Bearer " + token, "content-type": "application/json" };
  const question = /PLEASE-ASK(.*)/s.exec(prompt)?.[1];
  if (question !== undefined) await fetch(url + "/api/v1/agent/runs/" + id + "/blocked",
    { method: "POST", headers, body: JSON.stringify({ message: question }) });
  process.exitCode = prompt.includes("PLEASE-FAIL") ? 3 : 0;`;

type Options = NonNullable<Parameters<typeof serverWithAgent>[1]>;

/** A server with this millrace.yaml, whose runs do as their prompts say. */
export async function serverThatTells(settings: object, options: Options = {}) {
  const config = join(folderWith({ "millrace.yaml": JSON.stringify(settings) }), "millrace.yaml");
  const env = { ...LOOPBACK_ALLOWED, ...options.env };
  return serverWithAgent(TOLD_AGENT, { ...options, env, args: ["--config", config] });
}
