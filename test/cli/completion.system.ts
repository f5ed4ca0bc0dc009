import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { sharedByFile } from "../given/cleanup.ts";
import { temporaryFolder } from "../given/folder.ts";
import { run } from "../given/server.ts";

/** The script of a shell, in a file. */
async function scriptOf(shell: string): Promise<string> {
  const { code, printed, said } = await run(["completion", shell]);
  expect([code, said]).toEqual([0, ""]);
  const file = join(temporaryFolder(), `millrace.${shell}`);
  writeFileSync(file, printed);
  return file;
}

const bashScript = sharedByFile(() => scriptOf("bash"));

/** What bash offers for the last of these words. */
function offered(...words: string[]): string[] {
  const program = `source "$1"; shift
    COMP_WORDS=(millrace "$@"); COMP_CWORD=$#
    _millrace && printf '%s\\n' "\${COMPREPLY[@]}"`;
  const shell = spawnSync("bash", ["--norc", "-c", program, "bash", bashScript(), ...words], {
    encoding: "utf8",
  });
  expect(shell.stderr).toBe("");
  return shell.stdout.split("\n").filter((line) => line !== "");
}

describe("completion of bash", () => {
  test("completes commands, the commands below them, and options", () => {
    expect(offered("ru")).toEqual(["runs"]);
    expect(offered("runs", "l")).toEqual(["list", "logs"]);
    expect(offered("runs", "list", "--st")).toEqual(["--state"]);
    expect(offered("")).toEqual(expect.arrayContaining(["serve", "keys", "completion", "--help"]));
    expect(offered("nonsense", "ru")).toEqual(["runs"]);
  });

  test("completes the values of an option that takes only so many, with a space or =", () => {
    expect(offered("keys", "create", "--role", "")).toEqual(["viewer", "operator", "admin"]);
    expect(offered("keys", "create", "--role", "=", "ad")).toEqual(["admin"]);
    expect(offered("keys", "create", "--role", "=")).toEqual(["viewer", "operator", "admin"]);
    expect(offered("completion", "")).toEqual(expect.arrayContaining(["bash", "zsh", "fish"]));
  });

  test("leaves it to bash to complete files where a value is free", () => {
    expect(offered("serve", "--data-dir", "")).toEqual([]);
    expect(offered("validate", "./de")).toEqual([]);
  });

  test("is not led astray by a value that reads like a command", () => {
    expect(offered("runs", "create", "--title", "list", "--att")).toEqual(["--attach"]);
  });

  test("knows every command that the help shows, at every depth", async () => {
    const commandsOf = async (path: string[]): Promise<string[]> => {
      const { printed } = await run([...path, "--help"]);
      const listed = printed.split("\nCommands:\n")[1]?.split("\n\n")[0] ?? "";
      return [...listed.matchAll(/^ {2}(\w[\w-]*)/gm)].map((match) => match[1] ?? "");
    };
    const commands = await commandsOf([]);
    expect(commands.length).toBeGreaterThan(10);
    expect(offered("")).toEqual(expect.arrayContaining(commands));
    for (const command of ["runs", "keys", "deliveries", "webhooks"])
      expect(offered(command, "")).toEqual(expect.arrayContaining(await commandsOf([command])));
  });
});

describe("completion of other shells", () => {
  test("is made of the same commands and options", async () => {
    const { printed: zsh } = await run(["completion", "zsh"]);
    const { printed: fish } = await run(["completion", "fish"]);
    expect(zsh).toMatch(/^#compdef millrace\n/);
    expect(zsh).toContain("'list:list runs, most recently updated first'");
    expect(fish).toContain("'__millrace_at \\' runs list\\'' --long-option state --require-parameter");
  });

  test.each(["zsh", "fish"])("is read by %s without a complaint", async (shell) => {
    const checked = spawnSync(shell, ["-n", await scriptOf(shell)], { encoding: "utf8" });
    expect([checked.status, checked.stderr]).toEqual([0, ""]);
  });

  test("fish offers what bash offers", async () => {
    const script = await scriptOf("fish");
    const { stdout } = spawnSync(
      "fish",
      ["--no-config", "-c", `source ${script}; complete -C 'millrace runs l'`],
      {
        encoding: "utf8",
      },
    );
    expect(stdout).toMatch(/^list\t.*\nlogs\t.*\n$/);
  });

  test("of a shell that is not known is a wrong call", async () => {
    const { code, said } = await run(["completion", "tcsh"]);
    expect([code, said]).toEqual([2, expect.stringContaining("Allowed choices are bash, zsh, fish")]);
  });
});
