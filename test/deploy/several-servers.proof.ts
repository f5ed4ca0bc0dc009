import { createServer, type Server } from "node:http";
import { expect, test } from "vitest";
import { onFinished, sharedByFile } from "../given/cleanup.ts";
import { freePort } from "../given/port.ts";
import { startBalancer, through } from "../given/tls-proxy.ts";

/** What answers as a server does that is ready, with its name and what it was told of the sender. */
async function aServer(name: string, port: number): Promise<Server> {
  const server = createServer((request, response) => {
    response.setHeader("server-name", name).end(String(request.headers["x-forwarded-for"]));
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  onFinished(() => end(server));
  return server;
}

async function end(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

const shared = sharedByFile(async () => {
  const [port, one, other] = [await freePort(), await freePort(), await freePort()];
  const servers = { one: await aServer("one", one), other: await aServer("other", other) };
  await startBalancer(port, [`127.0.0.1:${one}`, `127.0.0.1:${other}`]);
  return { port, servers, ports: { one, other } };
});

const paths = Array.from({ length: 40 }, (_, n) => `/webhooks/w/webhook${n}`);

async function serverOf(path: string, headers: Record<string, string> = {}): Promise<string> {
  const { status, headers: answered } = await through(shared().port, "POST", path, { headers, body: "{}" });
  expect(status).toBe(200);
  return String(answered["server-name"]);
}

test("one server gets all deliveries to a path, whatever their query and headers say", async () => {
  for (const path of paths.slice(0, 5)) {
    const first = await serverOf(path);
    for (let n = 0; n < 8; n += 1)
      expect(await serverOf(`${path}?n=${n}`, { "x-balanced-by": `/elsewhere${n}` })).toBe(first);
  }
});

test("servers share the webhooks, and hear the address of who sends", async () => {
  const names = new Set<string>();
  for (const path of paths) names.add(await serverOf(path));
  expect(names).toEqual(new Set(["one", "other"]));
  const { text } = await through(shared().port, "GET", "/api/v1/runs", {
    from: "127.0.0.5",
    headers: { "x-forwarded-for": "198.51.100.7" },
  });
  expect(text).toBe("127.0.0.5");
});

test("the other server gets the deliveries of one that has ended, and gives them back when it is there again", async () => {
  const { servers, ports } = shared();
  const namesOf = async () => {
    const names: string[] = [];
    for (const path of paths) names.push(await serverOf(path));
    return names;
  };
  const before = await namesOf();
  await end(servers.one);
  // What comes before Caddy has noticed is answered with 502, and senders repeat it.
  const path = paths[before.indexOf("one")] ?? "";
  await expect.poll(() => serverOf(path).catch(() => undefined), { timeout: 30_000 }).toBe("other");
  expect(new Set(await namesOf())).toEqual(new Set(["other"]));
  await aServer("one", ports.one);
  await expect.poll(namesOf, { timeout: 30_000 }).toEqual(before);
});
