import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onFinished } from "./cleanup.ts";

export interface DoorRequest {
  /** `claim`, `beat` or `call`. */
  path: string;
  body: { call?: string; parameters?: unknown };
}

/** A server for workers that answers each request as the test says. */
export async function doorStandIn(answer: (request: DoorRequest, response: ServerResponse) => void) {
  const asked: DoorRequest[] = [];
  const http = createServer(async (request, response) => {
    let text = "";
    for await (const piece of request) text += piece;
    const path = (request.url ?? "").replace("/api/v1/workers/door/", "");
    const asking = { path, body: JSON.parse(text || "{}") };
    asked.push(asking);
    response.setHeader("content-type", "application/json");
    answer(asking, response);
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  onFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  const { port } = http.address() as AddressInfo;
  return { asked, url: `http://127.0.0.1:${port}` };
}
