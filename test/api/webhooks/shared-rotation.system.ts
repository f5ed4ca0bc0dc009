import { expect, test } from "vitest";
import { ask } from "../../given/ask.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { FACTORY, TOKEN_WEBHOOK } from "../../given/definition.ts";
import { managedBy, type Rotated } from "../../given/managed.ts";
import { postgresEnvironment } from "../../given/postgres.ts";
import { repositoryWith } from "../../given/repository.ts";
import { ADMIN_KEY, run, startServer, waitFor } from "../../given/server.ts";

/** A server with two factories that it keeps and one of a repository, all with a webhook that goes by CI_SECRET. */
const given = sharedByFile(async () => {
  const repository = repositoryWith({ ...FACTORY, "webhooks/ci.yaml": TOKEN_WEBHOOK });
  const server = await startServer({ sources: [repository.url], env: { MILLRACE_POLL_INTERVAL: "1h" } });
  for (const name of ["one", "two"]) await server.api("POST", "/factories", { name });
  await server.api("PUT", "/secrets/CI_SECRET", { value: "the-first", shared: true });
  await waitFor(async () => {
    const { factories } = await server.api<{ factories: { name: string; sync: { status: string } }[] }>(
      "GET",
      "/factories",
    );
    return factories.some(({ name, sync }) => name === "acme" && sync.status === "synced");
  });
  const [one, two] = [managedBy(server, "one"), managedBy(server, "two")];
  const [first, second] = [
    await one.create({ name: "ci", secret_name: "CI_SECRET" }),
    await two.create({ name: "ci", secret_name: "CI_SECRET" }),
  ];
  return { server, repository, one, two, first, second };
});

test("a rotation in one factory applies to the other managed factories before it is answered", async () => {
  const { one, two, first, second } = given();
  const rotated = () => one.call<Rotated>("POST", `/webhooks/${first.uid}/rotate-secret`);
  const before = (await rotated()).body.secret;
  expect(await two.deliver(second.url, before)).toBe(202);
  const { body } = await rotated();
  expect([await two.deliver(second.url, before), await two.deliver(second.url, body.secret)]).toEqual([
    401, 202,
  ]);
  expect(body.also_rotated).toEqual(["two/ci"]);
  // What the other factory has in force is the same, and stays so after a restart of its loop.
  await two.server.api("POST", "/factories/two/sync?wait=true");
  expect([await two.deliver(second.url, before), await two.deliver(second.url, body.secret)]).toEqual([
    401, 202,
  ]);
});

test("a suspended factory takes the new secret too: the leaked one is no longer accepted", async () => {
  const { server, one, two, first, second } = given();
  await server.api("POST", "/factories/two/suspend");
  const { body } = await one.call<Rotated>("POST", `/webhooks/${first.uid}/rotate-secret`);
  expect(await two.deliver(second.url, body.secret)).toBe(202);
  await server.api("POST", "/factories/two/resume");
});

test("what a rotation cannot reach is named: in the answer, by the command, by the doctor, and on its page", async () => {
  const { server, repository, one, first } = given();
  const { body } = await one.call<Rotated>("POST", `/webhooks/${first.uid}/rotate-secret`);
  const reason = expect.stringMatching(/next commit on the branch main/);
  expect(body.not_rotated).toEqual([{ factory: "acme", webhook: "ci", reason }]);
  const env = { MILLRACE_SERVER: server.url, MILLRACE_API_KEY: ADMIN_KEY };
  const { said: told } = await run(["webhooks", "rotate-secret", "ci", "--factory", "one"], env);
  expect(told).toMatch(/acme\/ci still accepts the OLD secret; .*next commit/);
  const { webhooks } = (await ask<{ webhooks: object[] }>(server, "GET", "/factories/acme/webhooks")).body;
  expect(webhooks).toMatchObject([{ has_newer_secret: true }]);
  const onMachine = { ...env, ...(await postgresEnvironment(server.dataDir)) };
  const examined = await run(["doctor", "--data-dir", server.dataDir], onMachine);
  expect(examined.printed).toMatch(/webhook ci of acme.*newer value/s);
  repository.push({});
  await server.api("POST", "/factories/acme/sync?wait=true");
  const after = await run(["doctor", "--data-dir", server.dataDir], onMachine);
  expect(after.printed).not.toContain("another value");
});

test("a value that another webhook of the same factory could not use is refused, and changes nothing", async () => {
  const { server, one } = given();
  const value = "0123456789abcdef0123";
  await server.api("PUT", "/secrets/SIGNS_HERE", { value, shared: true });
  const signed = { auth_mode: "signature", signature_scheme: "github", secret_name: "SIGNS_HERE" } as const;
  const { uid } = await one.create({ name: "signed-here", ...signed });
  const beside = await one.create({
    name: "beside-in-url",
    auth_mode: "url_token",
    secret_name: "SIGNS_HERE",
  });
  const body = { secret: "not/fit for a URL" };
  const refused = await one.call<{ detail: string }>("POST", `/webhooks/${uid}/rotate-secret`, { body });
  expect([refused.status, refused.body.detail]).toEqual([
    400,
    expect.stringContaining('of the webhook "beside-in-url", which shares the secret'),
  ]);
  expect(await one.deliver(beside.url.replace("{token}", value))).toBe(202);
});

test("a value that a webhook of another factory could not use is refused, and changes nothing", async () => {
  const { server } = given();
  const [here, there] = [managedBy(server, "one"), managedBy(server, "two")];
  await server.api("PUT", "/secrets/SIGNS", { value: "0123456789abcdef0123", shared: true });
  const signed = { auth_mode: "signature", signature_scheme: "github", secret_name: "SIGNS" } as const;
  const { uid } = await here.create({ name: "signed", ...signed });
  await there.create({ name: "in-url", auth_mode: "url_token", secret_name: "SIGNS" });
  const body = { secret: "not/fit for a URL" };
  const refused = await here.call<{ detail: string }>("POST", `/webhooks/${uid}/rotate-secret`, { body });
  expect([refused.status, refused.body.detail]).toEqual([400, expect.stringContaining('"in-url" of "two"')]);
});
