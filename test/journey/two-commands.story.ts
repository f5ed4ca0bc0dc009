import { execFileSync, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { onFinished } from "../given/cleanup.ts";
import { temporaryFolder } from "../given/folder.ts";
import { waitFor } from "../given/server.ts";
import { blocksOf } from "../given/shell.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/** A clone builds what its commit has otherwise than the build, and other tests are at work meanwhile. */
const PATIENCE_SECONDS = 240;

test("the two commands of the README begin with a clone and end with a run that has succeeded", async () => {
  const folder = temporaryFolder("millrace-two-commands");
  const [block = ""] = blocksOf("README.md", "sh two-commands");
  const [clone = "", start = "", ...rest] = block.trim().split("\n");
  expect(rest).toEqual([]);
  // What a first start would install and build is lent to it, as `npm test` has just made it; all else is as it is typed.
  const typedClone = clone.replace("<this repository>", `--quiet ${ROOT}`);
  const script = [
    typedClone,
    // Once more, where the clone is already there.
    `cd .. && ${typedClone}`,
    `ln -s ${ROOT}node_modules node_modules && cp -r ${ROOT}dist dist`,
    start,
  ];
  const child = spawn("bash", ["-ec", script.join("\n")], {
    cwd: folder,
    detached: true,
    env: { PATH: process.env.PATH, HOME: folder, MILLRACE_LISTEN: "127.0.0.1:0" },
  });
  onFinished(() => {
    try {
      process.kill(-(child.pid ?? 0), "SIGKILL");
    } catch {
      // It has ended already.
    }
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => {
      output += chunk;
    });
  await waitFor(() => {
    if (child.exitCode !== null) throw new Error(`npm start has ended: ${output}`);
    return output.includes("Ctrl-C stops the server.");
  }, PATIENCE_SECONDS);

  const pasteInSecondTerminal = (pattern: RegExp) => {
    const line = pattern.exec(output)?.[1] ?? "";
    const environment = /^ {2}(export .*)$/m.exec(output)?.[1] ?? "";
    return execFileSync("bash", ["-ec", `${environment}\n${line}`], {
      cwd: `${folder}/millrace`,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
  };
  expect(pasteInSecondTerminal(/^ {2}(curl .*)$/m)).toMatch(/^\{"delivery_id":/);
  await waitFor(() => pasteInSecondTerminal(/^ {2}(node .* runs list)$/m).includes("SUCCEEDED"));
  expect(pasteInSecondTerminal(/^ {2}(node .* runs logs)$/m)).toContain("# The build of acme/shop failed");
  const dashboard = /^ {2}(http:\S+\/)$/m.exec(output)?.[1] ?? "";
  expect(await (await fetch(dashboard)).text()).toContain("<title>");
}, 300_000);
