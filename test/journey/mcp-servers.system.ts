import { chmodSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { onFinished } from "../given/cleanup.ts";
import { FACTORY, withFactoryLines } from "../given/definition.ts";
import { temporaryFolder } from "../given/folder.ts";
import { SANDBOXES, serverWithSandbox } from "../given/isolated.ts";
import { listening } from "../given/port.ts";

/** A server of tools on standard input and output, which writes down a variable when it starts. */
const PROGRAM = `#!/usr/bin/env node
import { createInterface } from "node:readline";
if (process.argv[2] !== undefined && process.env.TOKEN !== process.argv[2]) process.exit(4);
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id } = JSON.parse(line);
  const result = { protocolVersion: "2025-06-18", capabilities: {}, serverInfo: { name: "x", version: "1" } };
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
});
`;

/** A file of a folder beside the data, with what lies there. */
function fileWith(name: string, text: string, mode = 0o644): string {
  const folder = temporaryFolder("millrace-servers");
  chmodSync(folder, 0o755);
  const path = join(folder, name);
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}

const withServers = (servers: object) =>
  withFactoryLines(`millrace: ${JSON.stringify({ repositories: "optional", mcpServers: servers })}\n`);

interface Events {
  events: { event_type: string; payload: object }[];
}

describe.each(SANDBOXES)("in the sandbox %s", (sandbox) => {
  test("servers of a definition start with their secrets, and each that does not is one line and one event", async () => {
    const program = fileWith("tools.mjs", PROGRAM);
    const away = createServer((_, response) => void response.writeHead(401).end());
    const port = await listening(away);
    onFinished(() => void away.close());
    const { run, server, story } = await serverWithSandbox(
      sandbox,
      `import { readFileSync } from "node:fs"; console.log(readFileSync("mcp.json", "utf8"));`,
      {
        files: withServers({
          good: { command: "node", args: [program, "the-token"], env: { TOKEN: { secret: "TOOLS_TOKEN" } } },
          direct: { command: "node", args: [program, "plain"], env: { TOKEN: "plain" } },
          "lost-1": { command: "/nonexistent/program" },
          "dead-2": { command: "sh", args: ["-c", "echo no such thing >&2; exit 3"] },
          "away-3": { url: `http://127.0.0.1:${port}/mcp`, headers: { Authorization: "x" } },
        }),
      },
    );
    await story.setSecret("TOOLS_TOKEN", "the-token");
    await story.sync();
    const { run_id, state, transcript } = await run();
    expect(state).toBe("SUCCEEDED");
    const lines = transcript.split("\n").filter((line) => line.startsWith("[millrace: the MCP server"));
    expect(lines).toEqual([
      expect.stringMatching(/lost-1 did not start: .*ENOENT/),
      expect.stringMatching(/dead-2 did not start: it exited with code 3: no such thing/),
      expect.stringMatching(/away-3 did not start: it answered with HTTP 401/),
    ]);
    const { events } = await server.api<Events>("GET", `/agent/runs/${run_id}/timeline`);
    expect(
      events.filter(({ event_type }) => event_type === "mcp_server_failed").map(({ payload }) => payload),
    ).toMatchObject([{ name: "lost-1", turn: 1 }, { name: "dead-2" }, { name: "away-3" }]);
    // Its secret stays a variable of the run, and is in no file.
    expect(transcript).toContain(`"TOKEN": "\${TOOLS_TOKEN}"`);
  });

  test("a turn fails before its agent starts if a server that is required does not start", async () => {
    const { run } = await serverWithSandbox(sandbox, `console.log("the agent has started")`, {
      files: withServers({ needed: { command: "false", required: true } }),
    });
    const { state, status_message, transcript } = await run();
    expect([state, status_message?.error_code]).toEqual(["FAILED", "environment_setup_failed"]);
    expect(status_message?.message).toContain("The required MCP server needed did not start");
    expect(transcript).not.toContain("the agent has started");
    expect(transcript.match(/needed/g)).toHaveLength(1);
  });
});

test("a file that not everybody may read is not shown to the sandbox because a definition names it", async () => {
  const open = fileWith("open.txt", "open");
  const closed = fileWith("closed.txt", "closed", 0o600);
  const hidden = fileWith(".hidden", "hidden");
  const { run } = await serverWithSandbox(
    "bwrap",
    `import { existsSync } from "node:fs";
     console.log(${JSON.stringify([open, closed, hidden])}.map((path) => existsSync(path)).join());`,
    { files: { ...FACTORY, ...withServers({ files: { command: "cat", args: [open, closed, hidden] } }) } },
  );
  expect((await run()).transcript).toContain("true,false,false");
});

test("a plan shows the servers and the names of their secrets, and no other values", async () => {
  const { server } = await serverWithSandbox("none", "");
  const files = {
    ...FACTORY,
    ...withServers({
      tools: { command: "tools", args: ["--key=hidden-1"], env: { A: "hidden-2", B: { secret: "B_KEY" } } },
    }),
  };
  const content = Object.entries(files).map(([path, text]) => ({ path, content: String(text) }));
  const plan = JSON.stringify(await server.api("POST", "/factories/acme/plan", { files: content }));
  expect(plan).toContain("tools");
  expect(plan).not.toContain("hidden");
});

test("a session waits for messages as long as its file says, and a request counts more", async () => {
  const { server, start } = await serverWithSandbox("none", "", {
    files: {
      "agents/boss/agent.md":
        "---\nagentType: FOREMAN\nmillrace: { idleTimeoutMinutes: 7 }\n---\nYou lead.\n",
    },
  });
  const minutesOf = async (config: object) =>
    (await server.api<{ agent_config: object }>("GET", `/agent/runs/${await start({ config })}`))
      .agent_config;
  expect(await minutesOf({})).toMatchObject({ idle_timeout_minutes: 7 });
  expect(await minutesOf({ idle_timeout_minutes: 0 })).toMatchObject({ idle_timeout_minutes: 0 });
});
