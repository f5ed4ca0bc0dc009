import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { serverWithAgent } from "../given/agent.ts";
import { automationOn, FACTORY, TOKEN_WEBHOOK, withFactoryLines } from "../given/definition.ts";
import { temporaryFolder, writeFiles } from "../given/folder.ts";
import { waitFor } from "../given/server.ts";

const TOKEN = "the-token";

/** An agent that says that it has started, and goes on until it is told to end. */
function patientAgent() {
  const folder = temporaryFolder();
  const code = `
    import { existsSync, writeFileSync } from "node:fs";
    writeFileSync(${JSON.stringify(folder)} + "/" + process.env.MILLRACE_RUN_ID, "");
    while (!existsSync(${JSON.stringify(folder)} + "/go")) await new Promise((resolve) => setTimeout(resolve, 20));`;
  return {
    code,
    started: () => readdirSync(folder).filter((name) => name !== "go"),
    go: () => writeFileSync(join(folder, "go"), ""),
    hasStarted: (id: string) => waitFor(() => existsSync(join(folder, id))),
  };
}

const env = { MILLRACE_RUN_CONCURRENCY: "8" };

const capped = (name: string, concurrency: number | undefined) => {
  const line = concurrency === undefined ? "" : `millrace: { concurrency: ${concurrency} }\n`;
  return { [`automations/${name}.md`]: automationOn([name]).replace("---\n", `---\n${line}`) };
};

test("an automation executes a limited number of runs, its other runs wait in order, and others pass them", async () => {
  const agent = patientAgent();
  const files = {
    "webhooks/a.yaml": TOKEN_WEBHOOK,
    "webhooks/b.yaml": TOKEN_WEBHOOK,
    ...capped("b", undefined),
  };
  const { source, server, story } = await serverWithAgent(agent.code, {
    files: { ...files, ...capped("a", 1) },
    env,
  });
  await story.setSecret("CI_SECRET", TOKEN);
  await story.sync();
  const deliver = async (name: string, n: number) => {
    const id = await story.accept(await story.urlOf(name), TOKEN, `{"n":${n}}`);
    return (await story.delivery(id)).run_ids[0] ?? "";
  };
  const [first = "", second = "", third = ""] = [
    await deliver("a", 1),
    await deliver("a", 2),
    await deliver("a", 3),
  ];
  await agent.hasStarted(first);
  const other = await deliver("b", 1);
  await agent.hasStarted(other);
  expect(agent.started().sort()).toEqual([first, other].sort());
  expect((await story.run(second)).state).toBe("QUEUED");

  writeFiles(source, capped("a", 2));
  await story.sync();
  await agent.hasStarted(second);
  expect((await story.run(third)).state).toBe("QUEUED");
  agent.go();
  for (const id of [first, second, third, other]) expect((await story.ended(id)).state).toBe("SUCCEEDED");
  expect(await server.stop()).toBe(0);
});

test("a factory starts so many runs in an hour, also after a restart, until its cap is raised", async () => {
  const agent = patientAgent();
  const files = withFactoryLines("millrace: { runsPerHour: 2, repositories: optional }\n");
  const before = await serverWithAgent(agent.code, { files, env });
  agent.go();
  const create = (server = before.server) =>
    server.api<{ run_id: string; at_capacity: boolean }>("POST", "/agent/runs", { prompt: "Do it." });
  const [first, second, third] = [await create(), await create(), await create()];
  expect([first, second, third].map(({ at_capacity }) => at_capacity)).toEqual([false, false, true]);
  for (const { run_id } of [first, second]) await before.story.ended(run_id);
  await before.server.stop();

  const { server, story, source } = await serverWithAgent(agent.code, { before, env });
  const fourth = await create(server);
  expect(fourth.at_capacity).toBe(true);
  expect((await story.run(third.run_id)).state).toBe("QUEUED");
  writeFiles(source, {
    ...FACTORY,
    ...withFactoryLines("millrace: { runsPerHour: 3, repositories: optional }\n"),
  });
  await story.sync();
  await story.ended(third.run_id);
  expect((await story.run(fourth.run_id)).state).toBe("QUEUED");
  writeFiles(source, FACTORY);
  await story.sync();
  await story.ended(fourth.run_id);
});
