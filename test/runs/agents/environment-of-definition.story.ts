import { expect, test } from "vitest";
import { automationOn, FACTORY } from "../../given/definition.ts";
import { preparingServer } from "../../given/executing.ts";
import { writeFiles } from "../../given/folder.ts";

/** Tells which repositories lie in the workspace, what setup commands have made, and which secrets are there. */
const SHOW = `
  import { existsSync, readFileSync } from "node:fs";
  const made = existsSync("made") ? readFileSync("made", "utf8").trim() : "";
  const names = (all, has) => all.filter(has).join("+");
  console.log("saw", JSON.stringify({
    repositories: names(["shop", "api", "web", "docs"], existsSync),
    made,
    secrets: names(["OF_FACTORY", "OF_AGENT", "OF_AUTOMATION"], (name) => process.env[name]),
  }));`;

const HOOK = "hook-secret-value";

test("environmentId of agentDefaults, of an agent and of an automation chooses repositories, setup commands and secrets", async () => {
  const { source, story, forge, environment, run } = await preparingServer(SHOW, {
    files: { "webhooks/ci.yaml": "secretName: HOOK\n", "automations/a.md": automationOn(["ci"]) },
  });
  await story.setSecret("HOOK", HOOK);
  const make = async (name: string, repo: string, secret: string) => {
    forge.repository(`acme/${repo}`);
    await story.setSecret(secret, `value-of-${secret}`);
    return environment({
      name,
      github_repos: [{ owner: "acme", repo }],
      setup_commands: [`test -d ${repo} && echo by ${name} > made`],
      secrets: [{ name: secret }],
    });
  };
  const ofFactory = await make("factory", "docs", "OF_FACTORY");
  const ofAgent = await make("agent", "api", "OF_AGENT");
  const ofAutomation = await make("automation", "web", "OF_AUTOMATION");
  const sawBy = ({ transcript }: { transcript: string }) =>
    JSON.parse(/^saw (.*)$/m.exec(transcript)?.[1] ?? "null");
  const ofDelivery = async (body: string) => {
    const { run_id, agent_config } = await story.endedRunOf(
      await story.accept(await story.urlOf("ci"), HOOK, body),
    );
    return {
      environment: agent_config?.environment_id,
      saw: sawBy({ transcript: await story.transcript(run_id) }),
    };
  };
  const saw = (name: string, repositories: string, secrets: string) => ({
    repositories,
    made: name === "" ? "" : `by ${name}`,
    secrets,
  });
  await story.sync();
  expect(sawBy(await run())).toEqual(saw("", "shop", ""));

  const defaults = String(FACTORY["factory.yaml"]).replace(
    "model: none }",
    `model: none }, environmentId: ${ofFactory}`,
  );
  writeFiles(source, { "factory.yaml": defaults });
  await story.sync();
  expect(sawBy(await run())).toEqual(saw("factory", "docs", "OF_FACTORY"));

  writeFiles(source, {
    "agents/boss/agent.md": `---\nagentType: FOREMAN\nenvironmentId: ${ofAgent}\n---\nYou do the work.\n`,
  });
  await story.sync();
  expect(sawBy(await run())).toEqual(saw("agent", "api", "OF_AGENT"));
  expect(await ofDelivery('"first"')).toEqual({ environment: ofAgent, saw: saw("agent", "api", "OF_AGENT") });

  writeFiles(source, {
    "automations/a.md": automationOn(["ci"]).replace("---\n", `---\nenvironmentId: ${ofAutomation}\n`),
  });
  await story.sync();
  expect(await ofDelivery('"second"')).toEqual({
    environment: ofAutomation,
    saw: saw("automation", "web", "OF_AUTOMATION"),
  });
});
