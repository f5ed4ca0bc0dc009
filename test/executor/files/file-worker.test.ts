import { execFileSync } from "node:child_process";
import { lstatSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { aFileWorker, deepTree } from "../../given/file-worker.ts";
import { folderWith, temporaryFolder } from "../../given/folder.ts";

const isRoot = process.getuid?.() === 0;
const USER = isRoot ? 1_900_000_000 : (process.getuid?.() ?? 0);
const MANY = 3_000;

/** A folder with so many files, made by one program. */
function folderOfMany(): string {
  const folder = temporaryFolder();
  execFileSync("bash", ["-c", `cd "$1" && seq ${MANY} | xargs touch`, "bash", folder]);
  return folder;
}

test("a small folder is done while a large one is still worked on", async () => {
  const worker = aFileWorker();
  const order: string[] = [];
  const large = worker
    .run("chownWorkspace", { folder: folderOfMany(), uid: USER, gid: USER })
    .then(() => order.push("large"));
  const small = folderWith({ "a/file": "x" });
  await worker.run("chownWorkspace", { folder: small, uid: USER, gid: USER });
  order.push("small");
  await large;
  expect(order).toEqual(["small", "large"]);
  expect(lstatSync(join(small, "a/file")).uid).toBe(USER);
});

test("folders deeper than a path can be long are handed over", async () => {
  const folder = temporaryFolder();
  deepTree(folder, 30);
  await aFileWorker().run("chownWorkspace", { folder, uid: USER, gid: USER });
  const owners = execFileSync("find", [folder, "-printf", "%U\n"], { encoding: "utf8" }).trim().split("\n");
  expect([owners.length, new Set(owners)]).toEqual([32, new Set([String(USER)])]);
});

test("files whose names are not UTF-8 are handed over", async () => {
  const folder = temporaryFolder();
  writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff])]), "x");
  await aFileWorker().run("chownWorkspace", { folder, uid: USER, gid: USER });
  expect(execFileSync("find", [folder, "-type", "f", "-printf", "%U"], { encoding: "utf8" })).toBe(
    String(USER),
  );
});

test("a job that no caller waits for any more is dropped, and one that cannot be done says why", async () => {
  const worker = aFileWorker();
  const gone = new AbortController();
  const dropped = worker.run("count", { folder: folderOfMany() }, gone.signal);
  gone.abort(new Error("not needed"));
  await expect(dropped).rejects.toThrow("not needed");
  await expect(worker.run("count", { folder: "/no/such/folder", runId: "none" })).rejects.toThrow("ENOENT");
});

test("a process that has ended fails its jobs, and the next job finds a new one", async () => {
  const worker = aFileWorker();
  const folder = folderOfMany();
  mkdirSync(join(folder, "more"));
  const lost = worker.run("count", { folder });
  const [pid] = execFileSync("pgrep", ["-P", String(process.pid), "-f", "file-worker-main"], {
    encoding: "utf8",
  })
    .trim()
    .split("\n");
  process.kill(Number(pid), "SIGKILL");
  await expect(lost).rejects.toThrow("The file worker exited.");
  expect((await worker.run("count", { folder })).result.files).toBe(MANY + 1);
});
