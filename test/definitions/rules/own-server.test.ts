import { expect, test } from "vitest";
import { automationWith, FACTORY, load, withFactoryLines } from "../../given/definition.ts";

const SERVERS = "mcpServers: { millrace: { warpId: x } }\n";

test.each([
  ["the factory", withFactoryLines(SERVERS), "factory.yaml"],
  [
    "an agent",
    { "agents/boss/agent.md": `---\nagentType: FOREMAN\n${SERVERS}---\n` },
    "agents/boss/agent.md",
  ],
  [
    "an automation",
    {
      "automations/a.md": automationWith(
        `${SERVERS}triggers: [{ provider: schedule, event: cron_fired, schedule: { cron: "@daily", name: x } }]`,
      ),
    },
    "automations/a.md",
  ],
])("an MCP server of %s cannot take the name of the server's own tools", async (_, files, path) => {
  const { problems } = await load({ ...FACTORY, ...files });
  const found = problems.filter(({ code }) => code === "FF_INVALID_MCP");
  expect(found.map((problem) => [problem.path, problem.severity])).toEqual([[path, "error"]]);
  expect(found[0]?.message).toContain("the name millrace stands for the server's own tools");
});
