import { expect, test } from "vitest";
import { ask } from "../../given/ask.ts";
import { serveManaged, type Webhook } from "../../given/managed.ts";

test("no cache keeps what the API has answered: a webhook that gets its secret has the same tag and another state", async () => {
  const { server, create, call } = await serveManaged();
  const { uid } = await create({ name: "pay", auth_mode: "signature", signature_scheme: "stripe" });
  const read = () => call<Webhook>("GET", `/webhooks/${uid}`);
  const before = await read();
  await call("POST", `/webhooks/${uid}/rotate-secret`, { body: { secret: "whsec_given" } });
  const after = await read();
  expect([before.body.status, after.body.status]).toEqual(["awaiting_secret", "active"]);
  expect(after.headers.get("etag")).toBe(before.headers.get("etag"));
  for (const { headers } of [before, after]) expect(headers.get("cache-control")).toBe("no-store");
  expect((await ask(server, "GET", "/nothing")).headers.get("cache-control")).toBe("no-store");
});
