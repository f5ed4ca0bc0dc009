import { expect, test } from "vitest";
import { acmeServer, ask } from "../../given/ask.ts";
import { sharedByFile } from "../../given/cleanup.ts";

const stage = sharedByFile(acmeServer);

const NEVER = "0 0 1 1 *";

test.each([
  ["an environment", "/agent/environments", { name: "e" }, (name: string) => ({ name })],
  ["an agent of the API", "/agent/identities", { name: "i" }, (name: string) => ({ name })],
  [
    "a schedule",
    "/agent/schedules",
    { name: "s", cron_schedule: NEVER, prompt: "Look.", enabled: true },
    (name: string) => ({ name, cron_schedule: NEVER, prompt: "Look.", enabled: true }),
  ],
])(
  "when two clients change the same version of %s, the second gets 412; a client without If-Match can change it as before",
  async (_, path, made, changed) => {
    const server = stage();
    const created = await ask<{ uid?: string; id?: string }>(server, "POST", path, { body: made });
    expect(created.status).toBeLessThan(300);
    const one = `${path}/${created.body.uid ?? created.body.id}`;
    const seen = (await ask(server, "GET", one)).headers.get("etag") ?? "";
    expect(seen).toMatch(/^"[0-9a-f]{32}"$/);
    expect(created.headers.get("etag")).toBe(seen);
    const change = (name: string, etag?: string) =>
      ask(server, "PUT", one, { body: changed(name), ...(etag ? { headers: { "if-match": etag } } : {}) });

    const first = await change("first", seen);
    expect(first.status).toBe(200);
    const afterwards = first.headers.get("etag");
    expect(afterwards).not.toBe(seen);
    expect((await ask(server, "GET", one)).headers.get("etag")).toBe(afterwards);
    const second = await change("second", seen);
    expect([second.status, second.body.type]).toEqual([412, expect.stringContaining("precondition_failed")]);
    expect((await ask<{ name?: string; config?: { name: string } }>(server, "GET", one)).body).toMatchObject(
      path.endsWith("environments") ? { config: { name: "first" } } : { name: "first" },
    );
    expect((await change("third")).status).toBe(200);
    const now = (await ask(server, "GET", one)).headers.get("etag") ?? "";
    expect((await ask(server, "DELETE", one, { headers: { "if-match": seen } })).status).toBe(412);
    expect((await ask(server, "DELETE", one, { headers: { "if-match": now } })).status).toBeLessThan(300);
  },
);
