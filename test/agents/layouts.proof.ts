import { delimiter } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../given/folder.ts";
import { LAYOUTS } from "../given/program-layouts.ts";
import { commandsIn, serveFrom } from "../given/sandbox-of.ts";
import { INSTALLED } from "./programs.ts";

describe.each(Object.keys(LAYOUTS))("installed by %s", (name) => {
  test.each(Object.values(INSTALLED))("the real $name starts under bubblewrap", async (program) => {
    const home = temporaryFolder("millrace-home");
    const layout = LAYOUTS[name]?.(home, program);
    serveFrom(home, layout?.node);
    const run = await commandsIn("bwrap");
    const PATH = [...(layout?.folders ?? []), "/usr/bin", "/bin"].join(delimiter);
    const { code, said } = await run([program.name, "--version"], PATH);
    expect(code, said).toBe(0);
    expect(said).toMatch(program.version);
  });
});
