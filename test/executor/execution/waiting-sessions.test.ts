import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { serverWithAgent } from "../../given/agent.ts";
import { processesOf, waitingAgent } from "../../given/family.ts";
import { folderWith, temporaryFolder } from "../../given/folder.ts";
import { serveOverHttp } from "../../given/git-http.ts";
import { repositoryWith, runGit, spyOnGit } from "../../given/repository.ts";
import { waitFor } from "../../given/server.ts";

/** A session that takes messages for as long as its input is open: it waits at the first, and repeats the others. */
const session = (folder: string) => `
  import { existsSync } from "node:fs";
  import { createInterface } from "node:readline";
  const { MILLRACE_RUN_ID: id, MILLRACE_API_URL: url, MILLRACE_RUN_TOKEN: token } = process.env;
  const rest = (result) => console.log(JSON.stringify({ type: "result", subtype: "success", result }));
  let first = process.env.MILLRACE_TURN === "1";
  for await (const line of createInterface({ input: process.stdin })) {
    const { text } = JSON.parse(line);
    while (!existsSync(${JSON.stringify(folder)} + "/start")) await new Promise((again) => setTimeout(again, 20));
    if (first) {
      await fetch(url + "/api/v1/agent/runs/" + id + "/wait", {
        method: "POST",
        headers: { authorization: "Bearer " + token, "content-type": "application/json" },
        body: "{}",
      });
    }
    rest(first ? "I wait." : "read " + text);
    if (!first) process.exit(0);
    first = false;
  }`;

test("a session that has nothing to do while its run waits ends, and the results begin a session of the next turn", async () => {
  const folder = temporaryFolder();
  const touch = (name: string) => writeFileSync(join(folder, name), "");
  const script = join(folderWith({ "agent.mjs": session(folder) }), "agent.mjs");
  const live = { command: [process.execPath, script], stdin: "messages", output: "claude" };
  const config = join(folderWith({ "m.yaml": JSON.stringify({ harnesses: { live } }) }), "m.yaml");
  const { start, story } = await serverWithAgent(waitingAgent(folder), { args: ["--config", config] });
  const parent = await start({ config: { harness: { type: "live" } } });
  const child = await start({ prompt: "Child one", parent_run_id: parent });
  touch("start");
  const resting = await waitFor(async () => {
    const run = await story.run(parent);
    return run.state === "INPROGRESS" && run.is_sandbox_running === false ? run : undefined;
  });
  expect(resting).toMatchObject({ waiting_for: [child], answer: "I wait." });
  expect(processesOf(parent)).toEqual([]);
  touch("one");
  const ended = await story.ended(parent);
  expect(ended).toMatchObject({ state: "SUCCEEDED" });
  expect(ended.answer).toContain("> answer of one");
});

const PAGE = readFileSync(new URL("../../../docs/how-to/issue-to-pull-request.md", import.meta.url), "utf8");
/** What the page has an agent call, with the variable that its token is in. */
const COMMANDS = [...PAGE.matchAll(/^ {4}(git [^\n]*password=\$(\w+)[^\n]*\\\n.*)$/gm)].map(
  ([, command = "", variable = ""]) => ({ command, variable }),
);

test("the page has a command for each of both tokens", () => {
  expect(COMMANDS.map(({ variable }) => variable)).toEqual(["GH_TOKEN", "GITHUB_ACCESS_TOKEN"]);
});

test.each(COMMANDS)(
  "the documented push with $variable makes the branch, and no argument has the token",
  async ({ command, variable }) => {
    const repository = repositoryWith({ a: "1" });
    runGit(repository.url, "config", "http.receivepack", "true");
    const host = await serveOverHttp(repository.url, "the-token-of-the-run");
    const spy = spyOnGit();
    const child = spawn("sh", ["-c", command.replace("https://github.com/acme/shop", host.url)], {
      cwd: repository.git("rev-parse", "--show-toplevel"),
      env: { PATH: spy.path, HOME: "/nowhere", GIT_TERMINAL_PROMPT: "0", [variable]: host.token },
      stdio: ["ignore", "ignore", "pipe"],
    });
    const [code] = await once(child, "close");
    expect(code).toBe(0);
    const branch = /refs\/heads\/(\S+)/.exec(command)?.[1] ?? "";
    expect(runGit(repository.url, "rev-parse", branch)).toBe(repository.git("rev-parse", "HEAD"));
    expect(spy.calls().join("\n")).not.toContain(host.token);
  },
);
