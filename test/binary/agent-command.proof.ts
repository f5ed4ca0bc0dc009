import { chmodSync, existsSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { FACTORY } from "../given/definition.ts";
import { mcpClient } from "../given/family.ts";
import { folderWith } from "../given/folder.ts";
import { MILLRACE, startServer, waitFor } from "../given/server.ts";
import { storyOf } from "../given/story.ts";

/** An agent in shell, on a machine without Node. It stays until the file `go` is in its workspace. */
const AGENT = `set -eu
printf '%s' "$MILLRACE_RUN_TOKEN" > token.new
mv token.new token
cat "$(command -v millrace)"
head -n 1 prompt.md
millrace agent status 'Looking around'
printf made > made.txt
millrace agent report file made.txt
millrace agent report link https://example.com/made
millrace agent fetch "$MILLRACE_RUN_ID"
cat fetched/made.txt
while ! [ -e go ]; do sleep 0.1; done
millrace agent answer 'All done.'
`;

test.each(["bwrap", "none"])(
  "the command of agents works in %s, and is the binary itself",
  async (sandbox) => {
    const agent = join(folderWith({ "agent.sh": AGENT }), "agent.sh");
    const server = await startServer({
      sources: [folderWith(FACTORY)],
      env: { MILLRACE_AGENT_COMMAND: `/bin/sh ${agent}`, MILLRACE_SANDBOX: sandbox },
    });
    const story = storyOf(server);
    await story.sync();
    const { run_id: id } = await server.api<{ run_id: string }>("POST", "/agent/runs", { prompt: "Go." });
    const inWorkspace = (name: string) => join(server.dataDir, "workspaces", id, name);
    await waitFor(() => existsSync(inWorkspace("fetched/made.txt")) || undefined);

    const { names, use } = await mcpClient(server, readFileSync(inWorkspace("token"), "utf8"));
    expect(await names()).toEqual(expect.arrayContaining(["ask_person", "report", "fetch"]));
    expect((await use("fetch", { artifact: "made.txt" })).text).toBe("made");
    expect((await use("report", { kind: "file", name: "go.txt", text: "go" })).isError).toBe(false);

    writeFileSync(inWorkspace("go"), "");
    const run = await story.ended(id);
    expect(run, await story.transcript(id)).toMatchObject({
      state: "SUCCEEDED",
      answer: "All done.",
      status_line: "Looking around",
      artifacts: [
        { data: { filepath: "made.txt" } },
        { data: { url: "https://example.com/made" } },
        { data: { filepath: "go.txt" } },
      ],
    });
    const transcript = await story.transcript(id);
    // No Node and no other file: an image or a machine may have none.
    expect(transcript).toContain(`exec '${realpathSync(MILLRACE[0] ?? "")}' "$@"`);
    expect(transcript).toContain("[millrace: `millrace agent --help`");
    expect(transcript).toContain("wrote fetched/made.txt\nmade");
  },
);

/** An engine as small as can be: it prints how it is asked to run a container. */
const ENGINE = `#!/bin/sh
case "$*" in *" run "*) printf '%s\\n' "$@" ;; esac
`;

test("a container gets the binary as the command of its agent, read-only", async () => {
  const engine = join(folderWith({ engine: ENGINE }), "engine");
  chmodSync(engine, 0o755);
  const server = await startServer({
    sources: [folderWith(FACTORY)],
    env: {
      MILLRACE_SANDBOX: "container",
      MILLRACE_CONTAINER_COMMAND: `${engine} --storage here`,
      MILLRACE_CONTAINER_IMAGE: "registry.example.com/agent:1",
      MILLRACE_AGENT_COMMAND: "agent",
    },
  });
  const story = storyOf(server);
  await story.sync();
  const { run_id: id } = await server.api<{ run_id: string }>("POST", "/agent/runs", { prompt: "Go." });
  await story.ended(id);
  const binary = realpathSync(MILLRACE[0] ?? "");
  expect((await story.transcript(id)).split("\n")).toContain(
    `type=bind,source=${binary},target=/usr/local/bin/millrace,readonly`,
  );
  expect(JSON.stringify(await story.timeline(id))).not.toContain("not available in containers");
});
