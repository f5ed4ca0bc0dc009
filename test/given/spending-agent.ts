import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onFinished } from "./cleanup.ts";

/** Whose price is known, by the list of its provider. */
const MODEL = "claude-haiku-4-5";
const USD_PER_TOKEN = 1 / 1_000_000;

const usageOf = (usdPerCall: number) => ({
  input_tokens: Math.round(usdPerCall / USD_PER_TOKEN),
  output_tokens: 0,
});

/** What claude says after a call, in the shape of its stream. */
const tellsCall = (usdPerCall: number) => `
  const message = {
    id: "call-" + call, model: "${MODEL}", usage: ${JSON.stringify(usageOf(usdPerCall))},
    content: [{ type: "text", text: "call " + call }],
  };
  console.log(JSON.stringify({ type: "assistant", message }));`;

/** An agent that calls a model until it is ended, and tells of each call what it has cost. */
export const spendingAgent = (model: string, usdPerCall: number): string =>
  calling(JSON.stringify(model), tellsCall(usdPerCall));

/** An agent that calls the model of its harness until it is ended, and tells nothing. */
export const silentlySpendingAgent = (): string => calling("process.env.MODEL_URL", "");

/**
 * An agent whose turns make a few calls of a model, report each of them twice, as claude does for a message of several parts, and then
 * do what a shell script does, which its arguments name.
 */
export const spendingTurn = (url: string, usdPerCall: number): string => `
import { spawnSync } from "node:child_process";
for (let call = 1; call <= 3; call += 1) {
  const answer = await fetch("${url}", { method: "POST", body: process.env.MILLRACE_RUN_ID + " " + call });
  await answer.text();
  for (let part = 1; part <= 2; part += 1) {${tellsCall(usdPerCall)}
  }
}
const { status } = spawnSync("sh", process.argv.slice(2), { stdio: ["ignore", "inherit", "inherit"] });
process.exit(status ?? 1);`;

/**
 * An agent that stays, and reports a call when the file `spend` of its workspace holds its cost. It hands its token over as the agents
 * of a family do.
 */
export const spendingWhenAsked = (): string => `
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
writeFileSync("token.new", process.env.MILLRACE_RUN_TOKEN);
renameSync("token.new", "token-" + process.env.MILLRACE_TURN);
for (let call = 1; ; ) {
  const usd = existsSync("spend") ? readFileSync("spend", "utf8") : "";
  if (usd !== "") {
    rmSync("spend");
    const usage = { input_tokens: Math.round(Number(usd) / ${USD_PER_TOKEN}), output_tokens: 0 };
    const message = { id: "call-" + call++, model: "${MODEL}", usage, content: [{ type: "text", text: usd }] };
    console.log(JSON.stringify({ type: "assistant", message }));
  }
  await new Promise((again) => setTimeout(again, 20));
}`;

const calling = (url: string, afterCall: string) => `
for (let call = 1; ; call += 1) {
  for (;;) {
    const answer = await fetch(${url}, {
      method: "POST",
      headers: { "x-api-key": process.env.MODEL_KEY ?? "" },
      body: process.env.MILLRACE_RUN_ID + " " + call,
    }).catch(() => undefined);
    // All of it: what an answer that breaks off has cost is not known.
    if (answer?.ok && (await answer.text().then(() => true, () => false))) break;
    await new Promise((again) => setTimeout(again, 50));
  }${afterCall}
}`;

/**
 * A model that answers a call once it may.
 * @param mayAnswer asked for each call until it allows it
 * @returns its URL
 */
export async function heldModel(
  mayAnswer: (call: number, run: string) => boolean,
  usdPerCall: number,
): Promise<string> {
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const [run = "", call = ""] = body.split(" ");
    while (!response.destroyed && !mayAnswer(Number(call), run))
      await new Promise((again) => setTimeout(again, 20));
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ model: MODEL, usage: usageOf(usdPerCall), content: [] }));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
