import { once } from "node:events";
import { connect } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { acmeServer } from "../../given/ask.ts";
import { onFinished } from "../../given/cleanup.ts";
import { temporaryFolder } from "../../given/folder.ts";
import { freePort } from "../../given/port.ts";

test("an idle connection stays open for as long as the settings say, which answers name, on every address", async () => {
  const webhooks = await freePort();
  const proxySocket = join(temporaryFolder("millrace-keep-alive"), "proxy.sock");
  const { url } = await acmeServer({
    env: {
      MILLRACE_KEEP_ALIVE: "17m",
      MILLRACE_WEBHOOK_LISTEN: `127.0.0.1:${webhooks}`,
      MILLRACE_PROXY_SOCKET: proxySocket,
    },
  });
  const places = [
    { port: Number(new URL(url).port), host: "127.0.0.1" },
    { port: webhooks, host: "127.0.0.1" },
    { path: proxySocket },
  ];
  for (const place of places) {
    const socket = connect(place);
    onFinished(() => {
      socket.destroy();
    });
    socket.write("GET /webhooks/none HTTP/1.1\r\nhost: here\r\n\r\n");
    const [answer] = await once(socket, "data");
    expect(String(answer)).toMatch(/keep-alive: timeout=1020\b/i);
  }
});
