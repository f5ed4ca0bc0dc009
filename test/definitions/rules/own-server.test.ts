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

const CRON = "triggers: [{ provider: schedule, event: cron_fired, schedule: { cron: '@daily' } }]";
const agentWith = (block: string) => ({
  "agents/boss/agent.md": `---\nagentType: FOREMAN\nmillrace: ${block}\n---\nYou lead.\n`,
});

test("MCP servers of the factory, the agent and the automation are combined, and the nearest of a name is used", async () => {
  const { definition, problems } = await load({
    ...FACTORY,
    ...withFactoryLines(
      "millrace: { mcpServers: { a: { command: one }, b: { command: one, env: { TOKEN: { secret: B_KEY } } } } }\n",
    ),
    ...agentWith("{ mcpServers: { b: { url: 'https://b.example.com/mcp' }, c: { command: two } } }"),
    "automations/n.md": automationWith(
      `${CRON}\nmillrace: { mcpServers: { c: { command: three, env: { C: { secret: C_KEY } } } } }`,
    ),
  });
  expect(problems.filter(({ severity }) => severity === "error")).toEqual([]);
  const [agent] = definition?.agents ?? [];
  const [automation] = definition?.automations ?? [];
  expect(agent?.execution).toMatchObject({
    ownMcpServers: { a: { command: "one" }, b: { url: "https://b.example.com/mcp" }, c: { command: "two" } },
  });
  expect(agent?.execution.ownMcpServers?.b).not.toHaveProperty("command");
  expect(automation?.execution.ownMcpServers?.c).toMatchObject({ command: "three" });
  expect(automation?.execution.secrets).toContain("C_KEY");
  expect(agent?.execution.secrets).not.toContain("C_KEY");
});

test.each([
  ["neither a command nor a URL", "{ a: { args: [x] } }", /command or url/],
  ["a command and a URL", "{ a: { command: x, url: 'https://a.example.com' } }", /command or url/],
  ["headers of a command", "{ a: { command: x, headers: { A: b } } }", /"headers" is only valid together/],
  ["the name of the server's own tools", "{ millrace: { command: x } }", /the name millrace/],
  ["a URL with a user", "{ a: { url: 'https://user:word@a.example.com' } }", /url/],
  ["a variable that is none", "{ a: { command: x, env: { 'A;B': c } } }", /A;B/],
  ["a secret beside other keys", "{ a: { command: x, env: { A: { secret: B, file: C } } } }", /file/],
])("an MCP server with %s is an error", async (_, servers, expected) => {
  const { problems } = await load({ ...FACTORY, ...agentWith(`{ mcpServers: ${servers} }`) });
  const errors = problems.filter(({ severity }) => severity === "error");
  expect(errors.map(({ path, message }) => `${path} ${message}`).join("\n")).toMatch(expected);
});

test("an MCP server whose host the network of its runs does not allow is a warning at its URL", async () => {
  const { problems } = await load({
    ...FACTORY,
    ...withFactoryLines("millrace: { mcpServers: { far: { url: 'https://mcp.example.com/x' } } }\n"),
    ...agentWith("{ network: { allow: [api.example.com] } }"),
  });
  expect(problems.filter(({ code }) => code === "FF_INVALID_MCP")).toMatchObject([
    {
      path: "factory.yaml",
      severity: "warning",
      message: expect.stringContaining('agents/boss/agent.md does not allow "mcp.example.com:443"'),
    },
  ]);
  const allowed = await load({
    ...FACTORY,
    ...withFactoryLines("millrace: { mcpServers: { far: { url: 'https://mcp.example.com/x' } } }\n"),
    ...agentWith("{ network: { allow: ['*.example.com'] } }"),
  });
  expect(allowed.problems.filter(({ code }) => code === "FF_INVALID_MCP")).toEqual([]);
});
