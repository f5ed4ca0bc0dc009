import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { aKey, ask } from "../../given/ask.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { automationWith, TOKEN_WEBHOOK, withNeededRepository } from "../../given/definition.ts";
import { folderWith, temporaryFolder } from "../../given/folder.ts";
import { APP_ID, githubStandIn, PRIVATE_KEY } from "../../given/github-stand-in.ts";
import { forgeWith, privateHost, sourceOf, tenants } from "../../given/tenants.ts";

const PUSHES = {
  "webhooks/ci.yaml": TOKEN_WEBHOOK,
  "automations/a.md": automationWith(
    "triggers: [{ provider: webhook, event: received, millrace: { webhooks: [ci] } }]\nmillrace: { push: true }",
  ),
};

/** The names of skills in a list of them. */
interface Skills {
  agents: { name: string }[];
}

/** Two factories, and a forge with a credential and an app that is for the first alone; and one without, for both. */
const given = sharedByFile(async () => {
  const { baseUrl } = await privateHost();
  const github = await githubStandIn();
  const key = join(folderWith({ "app.pem": PRIVATE_KEY }), "app.pem");
  const app = `, api: "${github.api}", app: { id: ${APP_ID}, privateKey: { file: "${key}" } }`;
  const started = await tenants(forgeWith(baseUrl, `${app}, factories: [acme]`), { files: PUSHES });
  await started.server.api("PUT", "/secrets/CI_SECRET", { value: "the-token", shared: true });
  for (const name of ["acme", "other"]) await started.server.api("POST", `/factories/${name}/sync?wait=true`);
  const { uid } = await started.server.api<{ uid: string }>("POST", "/agent/environments", {
    name: "shop",
    github_repos: [{ owner: "acme", repo: "shop" }],
  });
  /** Lets the automation of a factory start a run. */
  const deliver = async (factory: string) => {
    const { webhooks } = await started.server.api<{ webhooks: { url: string }[] }>(
      "GET",
      `/factories/${factory}/webhooks`,
    );
    const headers = { authorization: "Bearer the-token" };
    const answer = await fetch(webhooks[0]?.url ?? "", { method: "POST", headers, body: "{}" });
    const { delivery_id } = (await answer.json()) as { delivery_id: string };
    const path = `/factories/${factory}/deliveries/${delivery_id}`;
    const { run_ids } = await started.server.api<{ run_ids: string[] }>("GET", path);
    return started.ended(run_ids[0] ?? "");
  };
  const bound = await aKey(started.server, { role: "admin", factories: [await started.uidOf("other")] });
  return { ...started, github, baseUrl, environment: uid, deliver, bound };
});

const REFUSED = /acme\/shop.*this server has forges that this factory may not use \(home\)/;

describe("a forge that the settings give to one factory", () => {
  test("opens its repositories to the runs of that one, whichever way they start", async () => {
    const { run, environment, deliver, github } = given();
    expect(await run("acme")).toMatchObject({
      state: "SUCCEEDED",
      transcript: expect.stringContaining("For the eyes of acme"),
    });
    const asked = await run("acme", { config: { environment_id: environment }, skill: "acme/shop:review" });
    expect(asked.state).toBe("SUCCEEDED");
    expect((await deliver("acme")).transcript).toContain("token ghs_");
    expect(github.grants).toHaveLength(1);
  });

  test("is not cloned from by a run of another, which is told what to add", async () => {
    const { run, uidOf } = given();
    const { state, message } = await run("other");
    expect([state, message]).toEqual(["FAILED", expect.stringMatching(REFUSED)]);
    expect(message).toContain(`Add factories: [${await uidOf("other")}] to the right one under forges:`);
  });

  test("is not cloned from in an environment, nor by a run that is dispatched", async () => {
    const { run, server, ended, environment, uidOf } = given();
    const inEnvironment = await run("other", { config: { environment_id: environment } });
    expect([inEnvironment.state, inEnvironment.message]).toEqual(["FAILED", expect.stringMatching(REFUSED)]);
    const path = `/factory/${await uidOf("other")}/runs`;
    const { run_id } = await server.api<{ run_id: string }>("POST", path, { prompt: "Do it." });
    expect(await ended(run_id)).toMatchObject({ state: "FAILED", message: expect.stringMatching(REFUSED) });
  });

  test("gives no skill to a run of another", async () => {
    const { run } = given();
    const { state, message } = await run("other", { skill: "acme/shop:review" });
    expect([state, message]).toEqual(["FAILED", expect.stringMatching(REFUSED)]);
  });

  test("makes no token to push for a run of another", async () => {
    const { deliver, github } = given();
    const before = github.grants.length;
    const { state, message } = await deliver("other");
    expect([state, message]).toEqual([
      "FAILED",
      expect.stringMatching(
        /A token to push to acme\/shop could not be created.*this factory may not use \(home\)/,
      ),
    ]);
    expect(github.grants).toHaveLength(before);
  });

  test("opens nothing to a key for another factory: no run, and no list of skills", async () => {
    const { server, bound, ended, environment } = given();
    const start = (config: object) =>
      ask<{ run_id: string }>(server, "POST", "/agent/runs", {
        key: bound,
        body: { prompt: "Do it.", config },
      });
    const { run_id } = (await start({})).body;
    expect(await ended(run_id)).toMatchObject({ state: "FAILED", message: expect.stringMatching(REFUSED) });
    expect((await start({ environment_id: environment })).status).toBe(400);
    for (const path of ["/agent?refresh=true", "/agent?repo=acme/shop"])
      expect((await ask<Skills>(server, "GET", path, { key: bound })).body.agents).toEqual([]);
    const { agents } = await server.api<Skills>("GET", "/agent?repo=acme/shop");
    expect(agents.map(({ name }) => name)).toEqual(["review"]);
  });

  test("is what the definition of another is warned of when it applies, and tells nothing else of it", async () => {
    const { problemsOf, baseUrl } = given();
    expect(await problemsOf("acme")).toEqual([]);
    const [warning = "", ...more] = await problemsOf("other");
    expect(more).toEqual([]);
    expect(warning).toMatch(/no forge is configured for acme\/shop.*this factory may not use \(home\)/);
    expect(warning).not.toContain(baseUrl);
  });

  test("is not for a run of no factory", async () => {
    const { run, environment } = given();
    const { state, message } = await run(undefined, { config: { environment_id: environment } });
    expect([state, message]).toEqual([
      "FAILED",
      expect.stringMatching(/runs without a factory may not use \(home\)\. Add shared: true/),
    ]);
  });
});

describe("what the credential of a forge has fetched", () => {
  test("is not read through another forge of the same URL", async () => {
    const { baseUrl } = await privateHost();
    const open = `open: { baseUrl: "${baseUrl}", shared: true }`;
    const home = `home: { baseUrl: "${baseUrl}", token: { env: FORGE_TOKEN }, factories: [acme] }`;
    const { run, server, uidOf } = await tenants(`forges: { ${home}, ${open} }\n`);
    expect(await run("acme")).toMatchObject({ state: "SUCCEEDED" });
    expect(await run("other")).toMatchObject({
      state: "FAILED",
      message: expect.stringContaining("check the token of forges.open"),
    });
    const key = await aKey(server, { role: "viewer", factories: [await uidOf("other")] });
    const listed = await ask<Skills>(server, "GET", "/agent?repo=acme/shop", { key });
    expect(listed.body.agents).toEqual([]);
  });
});

test("a forge that says neither stays with its factory, and no key for another one lists its skills", async () => {
  const { baseUrl } = await privateHost();
  const dataDir = join(temporaryFolder(), "data");
  const before = await tenants(forgeWith(baseUrl), { dataDir, names: ["acme"] });
  await before.server.stop();
  const sources = [...before.sources, sourceOf("other", withNeededRepository())];
  const { server, uidOf } = await tenants(forgeWith(baseUrl), { dataDir, sources });
  const listed = async (factory: string) => {
    const key = await aKey(server, { role: "viewer", factories: [await uidOf(factory)] });
    const { agents } = (await ask<Skills>(server, "GET", "/agent?repo=acme/shop", { key })).body;
    return agents.map(({ name }) => name);
  };
  expect([await listed("acme"), await listed("other")]).toEqual([["review"], []]);
});

test("a forge that is shared is for every factory, and for runs of none", async () => {
  const { baseUrl } = await privateHost();
  const { run, server, problemsOf } = await tenants(forgeWith(baseUrl, ", shared: true"));
  for (const name of ["acme", "other"]) {
    expect(await problemsOf(name)).toEqual([]);
    expect(await run(name)).toMatchObject({ state: "SUCCEEDED" });
  }
  const { uid } = await server.api<{ uid: string }>("POST", "/agent/environments", {
    name: "shop",
    github_repos: [{ owner: "acme", repo: "shop" }],
  });
  const ofNone = await run(undefined, { config: { environment_id: uid } });
  expect(ofNone).toMatchObject({ state: "SUCCEEDED", transcript: expect.stringContaining("eyes of acme") });
});
