import { createHash, randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { countUsage } from "../../../src/executor/files/count-usage.ts";
import { SANDBOXES } from "../../given/isolated.ts";
import { runGit } from "../../given/repository.ts";
import { attemptsOn, mirrorOf, scriptedClones } from "../../given/scripted-clones.ts";

const MIB = 1024 * 1024;

/** What workspaces and mirrors take of the disk together. */
function bytesIn(dataDir: string): number {
  const steps = countUsage({ folder: join(dataDir, "git"), also: [join(dataDir, "workspaces")] });
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value.bytes;
  }
}

/** Every file below a folder, with what it holds and who may do what with it. */
function stateOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => {
      const { mode, uid, size } = statSync(path);
      const content = statSync(path).isFile() ? createHash("sha256").update(readFileSync(path)) : undefined;
      return `${path} ${mode.toString(8)} ${uid} ${size} ${content?.digest("hex")}`;
    })
    .sort();
}

describe.each(SANDBOXES)("in the sandbox %s", (sandbox) => {
  test("clones of a repository with megabytes of history take about nothing each", async () => {
    const { run, repository, dataDir } = await scriptedClones(sandbox);
    repository.push({ large: randomBytes(4 * MIB) });
    repository.push({}, { remove: ["large"] });
    const log = { prompt: "git -C shop log --format=%s && git -C shop show HEAD~1:large | wc -c" };
    const first = await run(log);
    expect([first.state, first.transcript]).toEqual(["SUCCEEDED", expect.stringContaining(`${4 * MIB}`)]);
    const before = bytesIn(dataDir);
    for (let number = 0; number < 3; number += 1) expect((await run(log)).state).toBe("SUCCEEDED");
    expect((bytesIn(dataDir) - before) / 3).toBeLessThan(MIB / 4);
  });

  test("an agent works in a clone as in any other, and can make it whole", async () => {
    const { run, repository, workspaces } = await scriptedClones(sandbox);
    repository.push({ "other.txt": "other" }, { branch: "other" });
    const script = [
      "set -e; cd shop; git checkout --quiet other; cat other.txt; git checkout --quiet -b done",
      "echo 1 > new.txt; git add .; git commit --quiet -m Work; git push --quiet origin done",
      "git fetch --quiet; git gc --quiet; git fsck --no-progress; git stash list; git worktree add --quiet ../beside",
      "git -C ../beside log -1 --format=%s; git clone --quiet . ../copy; git -C ../copy log -1 --format=%s",
      "git clone --quiet --dissociate . ../whole; test ! -e ../whole/.git/objects/info/alternates",
      "git bundle create --quiet ../shop.bundle --all; git clone --quiet ../shop.bundle ../bundled",
      "git repack -a -d --quiet; rm .git/objects/info/alternates; git fsck --no-progress; git log --format=%s",
    ];
    const { state, transcript, run_id } = await run({ prompt: script.join("\n") });
    expect([state, transcript]).toEqual(["SUCCEEDED", expect.stringMatching(/Work\nWork\nWork\n/)]);
    expect(runGit(repository.url, "log", "-1", "--format=%s", "done")).toBe("Work");
    rmSync(join(workspaces, `${run_id}.objects`), { recursive: true });
    for (const whole of ["shop", "whole", "bundled"]) {
      const clone = join(workspaces, run_id, whole);
      expect(runGit(clone, "-c", "safe.directory=*", "fsck", "--no-progress")).toBe("");
    }
  });

  test("an agent can neither change what clones share nor see that of another run", async () => {
    const { run, dataDir, workspaces } = await scriptedClones(sandbox);
    const other = await run({ prompt: "cat shop/.git/objects/info/alternates" });
    const objects = join(workspaces, `${other.run_id}.objects`);
    expect(other.transcript).toContain(`${join(objects, "shop")}\n`);
    const mirrors = join(dataDir, "git", "mirrors");
    const before = stateOf(mirrors);
    const own = await run({ prompt: attemptsOn("$(cat shop/.git/objects/info/alternates)") });
    expect(own.transcript).toMatch(/read: done\n(\w[\w ]*: no\n){9,}$/);
    const others = await run({ prompt: attemptsOn(join(objects, "shop")) });
    expect(others.transcript).toMatch(/\nread: no\n(\w[\w ]*: no\n){9,}$/);
    const ofMirror = await run({ prompt: attemptsOn(join(mirrorOf(dataDir), "objects")) });
    expect(ofMirror.transcript).toMatch(/\nread: no\n(\w[\w ]*: no\n){9,}$/);
    expect(stateOf(mirrors)).toEqual(before);
    expect(existsSync(objects)).toBe(true);
  });

  test("a later turn finds every commit after a forced push, a collection, the mirror's removal and a crash, also in another sandbox", async () => {
    const first = await scriptedClones(sandbox);
    const { run, say, repository, dataDir, server, workspaces } = first;
    const begin = repository.git("rev-parse", "HEAD");
    const lost = repository.push({ a: "lost" }, { message: "Lost" });
    const { run_id } = await run({ prompt: "true" });
    repository.reset(begin);
    repository.push({ a: "2" }, { force: true, message: "Forced" });
    expect((await run({ prompt: "git -C shop log -1 --format=%s" })).transcript).toContain("Forced");
    const mirror = mirrorOf(dataDir);
    rmSync(join(mirror, "logs"), { recursive: true });
    runGit(mirror, "gc", "--quiet", "--prune=now");
    expect(() => runGit(mirror, "cat-file", "-e", lost)).toThrow();
    const look = `cd shop && git fsck --no-progress && git show --format=%s -s ${lost} && git checkout -q HEAD~1 && git gc -q && cat README.md`;
    expect(await say(run_id, look)).toMatchObject({
      state: "SUCCEEDED",
      said: expect.stringContaining("Lost"),
    });
    rmSync(mirror, { recursive: true });
    await server.kill();
    const {
      say: sayAgain,
      run: runAgain,
      server: again,
    } = await first.again(SANDBOXES.find((each) => each !== sandbox) ?? sandbox);
    expect(await sayAgain(run_id, look.replace("HEAD~1", lost))).toMatchObject({ state: "SUCCEEDED" });
    expect((await runAgain({ prompt: "git -C shop log -1 --format=%s" })).transcript).toContain("Forced");
    await again.api("DELETE", `/agent/runs/${run_id}`);
    expect(readdirSync(workspaces).filter((name) => name.startsWith(run_id))).toEqual([]);
  });
});
