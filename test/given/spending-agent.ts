import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onFinished } from "./cleanup.ts";

/** What claude says after a call of a model whose price is known, in the shape of its stream. */
const TELLS_CALL = (tokens: number) => `
  const usage = { input_tokens: ${tokens}, output_tokens: 0 };
  const message = { id: "call-" + call, model: "claude-haiku-4-5", usage, content: [{ type: "text", text: "call " + call }] };
  console.log(JSON.stringify({ type: "assistant", message }));`;

/** Of the model that agents call here, by the list of its provider. */
const USD_PER_TOKEN = 1 / 1_000_000;

/** An agent that calls a model until it is ended, and tells of each call what it has cost. */
export function spendingAgent(model: string, usdPerCall: number): string {
  return `
for (let call = 1; ; call += 1) {
  for (;;) {
    const answer = await fetch(${JSON.stringify(model)}, {
      method: "POST", body: process.env.MILLRACE_RUN_ID + " " + call
    }).catch(() => undefined);
    if (answer?.ok) break;
    await new Promise((again) => setTimeout(again, 50));
  }${TELLS_CALL(Math.round(usdPerCall / USD_PER_TOKEN))}
}`;
}

/**
 * A model that answers a call once it may.
 * @param mayAnswer asked for each call until it allows it
 * @returns its URL
 */
export async function heldModel(mayAnswer: (call: number, run: string) => boolean): Promise<string> {
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const [run = "", call = ""] = body.split(" ");
    while (!response.destroyed && !mayAnswer(Number(call), run))
      await new Promise((again) => setTimeout(again, 20));
    response.end("ok");
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
