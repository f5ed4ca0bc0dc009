import { request } from "node:http";
import type { Server } from "./server.ts";

/** A request whose caller is known to the server, and whose body has not been sent. */
export interface HeldRequest {
  /** Sends the body. @returns what was answered */
  send(): Promise<{ status: number; text: string }>;
}

/** Begins a request, and waits until the server has read its head and asks for its body. */
export async function holdRequest(
  server: Pick<Server, "url">,
  method: string,
  path: string,
  { key, body, accept = "application/json" }: { key: string; body: object; accept?: string },
): Promise<HeldRequest> {
  const bytes = Buffer.from(JSON.stringify(body));
  const headers = {
    ...{ authorization: `Bearer ${key}`, "content-type": "application/json", accept },
    ...{ "content-length": bytes.length, expect: "100-continue" },
  };
  const sent = request(`${server.url}/api/v1${path}`, { method, headers });
  const answer = new Promise<{ status: number; text: string }>((resolve, reject) => {
    sent.on("error", reject);
    sent.on("response", async (response) => {
      let text = "";
      for await (const chunk of response) text += chunk;
      resolve({ status: response.statusCode ?? 0, text });
    });
  });
  sent.flushHeaders();
  await Promise.race([new Promise((resolve) => sent.once("continue", resolve)), answer]);
  return {
    send() {
      sent.end(bytes);
      return answer;
    },
  };
}
