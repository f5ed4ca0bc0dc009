import { expect, test } from "vitest";
import {
  automationOn,
  FACTORY,
  TOKEN_WEBHOOK,
  withFactoryLines,
  withNeededRepository,
} from "../given/definition.ts";
import { TOKEN } from "../given/github-stand-in.ts";
import { pullRequestStage, WITH_TOKEN } from "../given/pull-requests.ts";
import { waitFor } from "../given/server.ts";

const AN_AGENT = "---\nagentType: CUSTOM\n---\nYou help.\n";

test("a merged commit gets a status that it is active, or why it is not, each once", async () => {
  const stage = await pullRequestStage({ files: withNeededRepository() });
  const { host, pull, merge, push, tellOfPush, status, synced, story } = stage;
  await synced();
  const begin = [...host.tips.values()][0] ?? "";
  expect(await status(begin, "success")).toMatchObject({
    context: "millrace/factory-config",
    // Nobody has said where people find this server.
    target_url: null,
  });

  pull(1, { "agents/helper/agent.md": AN_AGENT, "agents/other/agent.md": AN_AGENT });
  const merged = merge(1);
  expect(await tellOfPush()).toMatchObject({ code: 202 });
  expect((await status(merged, "success")).description).toMatch(/^applied: 2 created; warning: /);

  const broken = push({ "agents/helper/agent.md": "---\nskils: []\n---\nYou help.\n" });
  await tellOfPush();
  expect((await status(broken, "failure")).description).toMatch(
    /^failed: agents\/helper\/agent\.md:2:1: unknown key "skils"/,
  );

  const worse = push({ "agents/other/agent.md": "You help.\n" });
  await tellOfPush();
  expect((await status(worse, "failure")).description).toMatch(/^failed: 2 problems, first agents\//);
  // Looked at again, it is as it was.
  await story.sync();
  await tellOfPush();
  await story.sync();
  expect(host.statuses.map(({ sha }) => sha)).toEqual([begin, merged, broken, worse]);
});

test("the status of a commit that the prune guard stops says how to allow it, and then that it was allowed", async () => {
  const { story, push, tellOfPush, status } = await pullRequestStage({
    files: { ...withFactoryLines("millrace: { pruneGuard: block }\n"), "webhooks/ci.yaml": TOKEN_WEBHOOK },
  });
  await story.setSecret("CI_SECRET", "token");
  await story.sync();
  const applied = (await story.factory()).sync.applied_revision ?? "";
  const trailer = `Millrace-Allow-Deletes: ${applied.slice(0, 12)}`;
  const commit = push({}, { remove: ["webhooks/ci.yaml"] });
  await tellOfPush();
  expect((await status(commit, "failure")).description).toBe(
    `blocked by the prune guard: allow it with \`millrace sync --allow-deletes\` or the commit trailer ${trailer}`,
  );
  const allowed = push({}, { message: `Go on\n\n${trailer}` });
  await tellOfPush();
  expect((await status(allowed, "success")).description).toMatch(
    /^applied: 1 deleted; warning: this deletes 1/,
  );
});

test("a commit that is pushed to a suspended factory waits, and its status reports that until someone resumes the factory", async () => {
  const { host, server, story, push, tellOfPush, status, synced } = await pullRequestStage();
  await synced();
  const first = (await story.factory()).sync.applied_revision ?? "";
  await server.api("POST", "/factories/acme/suspend");
  const commit = push({ "agents/helper/agent.md": AN_AGENT });
  await tellOfPush();
  expect((await status(commit, "pending")).description).toBe(
    `suspended: ${first.slice(0, 12)} stays active until \`millrace resume\``,
  );
  await server.api("POST", "/factories/acme/resume");
  expect((await status(commit, "success")).description).toContain("1 created");
  await server.api("POST", "/factories/acme/rollback", { revision: first });
  const statesOf = () => host.statuses.filter(({ sha }) => sha === commit).map(({ state }) => state);
  await waitFor(() => statesOf().length === 3);
  expect(statesOf()).toEqual(["pending", "success", "pending"]);
});

test("a restart reports nothing twice", async () => {
  const first = await pullRequestStage();
  const { host, repository, server, pull, tellOfPull, checked, status, synced, quiet } = first;
  await synced();
  await status([...host.tips.values()][0] ?? "", "success");
  const head = pull(1, { "agents/helper/agent.md": AN_AGENT });
  await tellOfPull(1);
  await checked(head);
  await quiet();
  await server.stop();
  const told = [host.statuses.length, host.checkRuns.length];
  const again = await pullRequestStage({ host, repository, dataDir: server.dataDir });
  await again.synced();
  // What is asked for now is told after all that a start finds to tell.
  const next = again.pull(2, { "agents/second/agent.md": AN_AGENT });
  await again.tellOfPull(2);
  await again.checked(next);
  expect([host.statuses.length, host.checkRuns.length - 1]).toEqual(told);
});

test("with a token instead of an app, a status says the first problem", async () => {
  const { host, server, pull, tellOfPull, status, synced } = await pullRequestStage({
    github: WITH_TOKEN,
    files: {
      ...FACTORY,
      "automations/a/automation.md": automationOn(["ci"]),
      "webhooks/ci.yaml": TOKEN_WEBHOOK,
    },
    env: { CI_SECRET: "token" },
    settings: { secrets: { CI_SECRET: { env: "CI_SECRET" } } },
  });
  await synced();
  const good = pull(1, { "agents/helper/agent.md": AN_AGENT });
  await tellOfPull(1);
  expect((await status(good, "success")).description).toContain("1 to create");
  await status(good, "pending");
  const bad = pull(2, { "webhooks/ci.yaml": `authMod: "${"x".repeat(300)}"\n` });
  await tellOfPull(2);
  const { context, description } = await status(bad, "failure");
  expect(context).toBe("millrace/factory-config");
  expect(description).toMatch(/^webhooks\/ci\.yaml:1:1: /);
  expect(host.checkRuns).toEqual([]);
  expect(server.log()).not.toContain(TOKEN);
});

test("a definition in a folder of a repository has its places in the repository, and other folders do not matter", async () => {
  const inFolder = Object.fromEntries(
    Object.entries(FACTORY).map(([path, text]) => [`deploy/ops/${path}`, text]),
  );
  const { pull, push, tellOfPull, tellOfPush, checked, status, synced } = await pullRequestStage({
    files: { ...inFolder, "README.md": "Hello.\n" },
    factory: { path: "deploy/ops" },
    settings: {},
  });
  await synced();
  const other = pull(1, { "README.md": "Hello, world.\n" });
  await tellOfPull(1);
  expect(await checked(other)).toMatchObject({
    conclusion: "neutral",
    title: "No changes in deploy/ops",
  });
  const wrong = pull(2, { "deploy/ops/agents/a/agent.md": "You help.\n" });
  await tellOfPull(2);
  expect((await checked(wrong)).annotations[0]?.path).toBe("deploy/ops/agents/a/agent.md");
  const commit = push({ "deploy/ops/agents/a/agent.md": "You help.\n" });
  await tellOfPush();
  expect((await status(commit, "failure")).description).toMatch(
    /^failed: deploy\/ops\/agents\/a\/agent\.md:1:1: /,
  );
  // Whoever touches nothing of it is not answerable for what is broken already.
  const innocent = pull(3, { "README.md": "Hello, again.\n" });
  await tellOfPull(3);
  expect((await checked(innocent)).conclusion).toBe("neutral");
});
