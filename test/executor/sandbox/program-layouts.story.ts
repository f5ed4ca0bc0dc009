import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../given/folder.ts";
import { LAYOUTS, smallProgram } from "../../given/program-layouts.ts";
import { commandsIn, serveFrom } from "../../given/sandbox-of.ts";

describe.each(Object.keys(LAYOUTS))("a program that was installed by %s", (name) => {
  test("starts under bubblewrap, with all that it needs", async () => {
    const home = temporaryFolder("millrace-home");
    const layout = LAYOUTS[name]?.(home, smallProgram());
    serveFrom(home, layout?.node);
    const run = await commandsIn("bwrap");
    const PATH = [...(layout?.folders ?? []), "/usr/bin", "/bin"].join(delimiter);
    expect(await run(["tool"], PATH)).toEqual({ code: 0, said: "whole\n" });
  });
});

describe("what a sandbox shows", () => {
  test("may be shown by the settings and by a command at the same time, the one inside of the other", async () => {
    const home = temporaryFolder("millrace-home");
    const layout = LAYOUTS["a snap's links"]?.(home, smallProgram());
    serveFrom(home, layout?.node);
    chmodSync(home, 0o755);
    const run = await commandsIn("bwrap", [join(home, "snap"), join(home, "snap/node/current"), home]);
    const PATH = [...(layout?.folders ?? []), "/usr/bin", "/bin"].join(delimiter);
    expect(await run(["tool"], PATH)).toEqual({ code: 0, said: "whole\n" });
  });

  test("is found by a folder of the settings that is a link", async () => {
    const home = temporaryFolder("millrace-home");
    mkdirSync(join(home, "v1"));
    writeFileSync(join(home, "v1/words.txt"), "words\n");
    symlinkSync("v1", join(home, "now"));
    const run = await commandsIn("bwrap", [join(home, "now")]);
    expect(await run(["cat", join(home, "now/words.txt")], "/usr/bin:/bin")).toEqual({
      code: 0,
      said: "words\n",
    });
  });

  test("is next to a data folder that is reached by a link", async () => {
    const disk = temporaryFolder("millrace-disk");
    const home = temporaryFolder("millrace-home");
    symlinkSync(disk, join(home, "large"));
    mkdirSync(join(disk, "data"));
    writeFileSync(join(disk, "agent.sh"), "pwd; echo $HOME; touch made && ls; ls $(dirname $0)/data");
    const run = await commandsIn("bwrap", [], join(home, "large/data"));
    const { code, said } = await run(["sh", join(home, "large/agent.sh")], "/usr/bin:/bin");
    expect(code, said).toBe(0);
    expect(said).toMatch(/made\nworkspaces\n$/);
  });

  test("has nothing of a shim whose program is not there, and the run says so", async () => {
    const home = temporaryFolder("millrace-home");
    const layout = LAYOUTS.asdf?.(home, { ...smallProgram(), name: "other" });
    serveFrom(home);
    const run = await commandsIn("bwrap");
    const shims = layout?.folders[0] ?? "";
    symlinkSync(join(shims, "other"), join(shims, "tool"));
    await expect(run(["tool"], `${shims}:/usr/bin:/bin`)).rejects.toThrow(
      /tool is a shim of asdf, but the program behind it was not found/,
    );
  });
});

test("a version manager's shim starts its program without a sandbox too", async () => {
  const home = temporaryFolder("millrace-home");
  const layout = LAYOUTS["mise, of npm"]?.(home, smallProgram());
  serveFrom(home);
  const run = await commandsIn("none", [], join(temporaryFolder(), "data"));
  const PATH = [...(layout?.folders ?? []), "/usr/bin", "/bin"].join(delimiter);
  expect((await run(["tool"], PATH)).said).toBe("whole\n");
});
