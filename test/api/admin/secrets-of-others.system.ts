import { describe, expect, test } from "vitest";
import { aKey, ask } from "../../given/ask.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { managedBy, serveManaged } from "../../given/managed.ts";

const kept = sharedByFile(serveManaged);

describe("a secret that factories share", () => {
  test("is rotated by keys that reach all of them, and by no other", async () => {
    const { server, create } = kept();
    const { uid: own } = await server.api<{ uid: string }>("GET", "/factories/default");
    await server.api("POST", "/factories", { name: "sharing" });
    const factories = ["default", "sharing"];
    await server.api("PUT", "/secrets/OF_TWO_FACTORIES", { value: "of-two-factories", factories });
    const { uid } = await create({ name: "shares", secret_name: "OF_TWO_FACTORIES" });
    await managedBy(server, "sharing").create({ name: "too", secret_name: "OF_TWO_FACTORIES" });
    const path = `/factories/default/webhooks/${uid}/rotate-secret`;
    const limited = await aKey(server, { role: "admin", factories: [own] });
    expect((await ask(server, "POST", path, { key: limited })).status).toBe(403);
    expect((await ask(server, "POST", path)).status).toBe(200);
  });

  test("is not rotated by naming it in an edit that the rotation waits for", async () => {
    const { server, create, call, tagOf } = kept();
    const { uid: own } = await server.api<{ uid: string }>("GET", "/factories/default");
    await server.api("POST", "/factories", { name: "robbed" });
    const robbed = managedBy(server, "robbed");
    const { secret_name } = await robbed.create({ name: "robbed" });
    const key = await aKey(server, { role: "admin", factories: [own] });
    const { uid } = await create({ name: "robber" });
    const file = "/files/webhooks%2Frobber.yaml";
    const body = { content: `authMode: token\nsecretName: ${secret_name}\n` };
    const headers = { "if-match": await tagOf(file) };
    await Promise.all([
      call("PUT", file, { key, headers, body }),
      call("POST", `/webhooks/${uid}/rotate-secret`, { key }),
      call("POST", `/webhooks/${uid}/rotate-secret`, { key }),
    ]);
    const webhooks = await robbed.webhooks();
    expect(webhooks.map(({ has_newer_secret }) => has_newer_secret)).toEqual([false]);
  });
});
