import { spawnSync } from "node:child_process";
import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { serverWithAgent } from "../given/agent.ts";
import { folderWith } from "../given/folder.ts";
import { ADMIN_KEY } from "../given/server.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** The program of docs/client.md, in a project that has this package. */
function projectWithProgram(): string {
  const page = readFileSync(join(ROOT, "docs/client.md"), "utf8");
  const program = /^```ts program\n(.*?)^```$/ms.exec(page)?.[1] ?? "";
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: "es2022",
    module: "nodenext",
    types: ["node"],
  };
  const folder = folderWith({
    "package.json": '{ "type": "module" }',
    "program.mjs": program,
    "program.ts": program,
    "tsconfig.json": JSON.stringify({ compilerOptions, files: ["program.ts"] }),
    "node_modules/@types/.keep": "",
  });
  symlinkSync(ROOT, join(folder, "node_modules/millrace"));
  symlinkSync(join(ROOT, "node_modules/@types/node"), join(folder, "node_modules/@types/node"));
  return folder;
}

test("the program that docs/client.md shows works to the letter", async () => {
  const { server } = await serverWithAgent("console.log('all is well')");
  const { status, stdout, stderr } = spawnSync(process.execPath, ["program.mjs"], {
    cwd: projectWithProgram(),
    env: { PATH: process.env.PATH, MILLRACE_SERVER: server.url, MILLRACE_API_KEY: ADMIN_KEY },
    encoding: "utf8",
    timeout: 20_000,
  });
  expect([status, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(/^all is well\nThe run is SUCCEEDED\.\n.+\n$/);
});

test("the program that docs/client.md shows is right by the types of the package", () => {
  const compiler = join(ROOT, "node_modules/typescript/bin/tsc");
  const { stdout } = spawnSync(process.execPath, [compiler, "-p", projectWithProgram()], {
    encoding: "utf8",
  });
  expect(stdout).toBe("");
});

test("the client compiles with the types of a browser, and none of Node's", () => {
  const folder = folderWith({
    "tsconfig.json": JSON.stringify({
      extends: join(ROOT, "tsconfig.json"),
      compilerOptions: { types: [], lib: ["es2023", "dom"], incremental: false },
      include: [],
      files: [join(ROOT, "src/client/client.ts")],
    }),
  });
  const compiler = join(ROOT, "node_modules/typescript/bin/tsc");
  const { stdout } = spawnSync(process.execPath, [compiler, "-p", folder], { encoding: "utf8" });
  expect(stdout).toBe("");
});
