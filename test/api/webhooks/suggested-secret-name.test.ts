import { expect, test } from "vitest";
import { aKey, ask } from "../../given/ask.ts";
import { serveManaged } from "../../given/managed.ts";

test("a webhook uses the suggested name for its secret, unless another is given", async () => {
  const { server, create } = await serveManaged();
  const suggested = async (webhook: string) =>
    (await ask(server, "GET", `/factories/default/suggested-secret-name?webhook=${webhook}`)).body;
  expect(await suggested("night%20build")).toEqual({ secret_name: "NIGHT_BUILD_WEBHOOK_SECRET" });
  expect((await create({ name: "night-build" })).secret_name).toBe("NIGHT_BUILD_WEBHOOK_SECRET");
  expect(await suggested("night%20build")).toEqual({ secret_name: "NIGHT_BUILD_WEBHOOK_SECRET_2" });
  const path = "/factories/default/suggested-secret-name";
  expect((await ask(server, "GET", path)).status).toBe(400);
  const key = await aKey(server, { role: "operator" });
  expect((await ask(server, "GET", `${path}?webhook=ci`, { key })).status).toBe(403);
});
