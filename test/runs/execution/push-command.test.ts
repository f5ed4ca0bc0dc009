import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { serveOverHttp } from "../../given/git-http.ts";
import { spyOnGit } from "../../given/git-spy.ts";
import { repositoryWith, runGit } from "../../given/repository.ts";

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
