import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sharedByFile } from "../given/cleanup.ts";
import { startPodman } from "../given/contained.ts";
import { attemptsOn, mirrorOf, scriptedClones } from "../given/scripted-clones.ts";

const podman = sharedByFile(async () => startPodman());

test("in a container, an agent reads the objects that its clones share at each of its turns, and cannot write them", async () => {
  const { run, say, dataDir, workspaces } = await scriptedClones("container", { env: podman().settings });
  const other = await run({ prompt: "cat shop/.git/objects/info/alternates; ls shop/.git/objects/pack" });
  expect(other.transcript).toContain(`${join(workspaces, `${other.run_id}.objects`, "shop")}\n`);
  const packs = join(mirrorOf(dataDir), "objects", "pack");
  const contents = () =>
    readdirSync(packs, { recursive: true, encoding: "utf8" })
      .map((name) => join(packs, name))
      .filter((path) => statSync(path).isFile())
      .map((path) => [path, statSync(path).mode, readFileSync(path, "latin1")]);
  const before = contents();
  const harm = attemptsOn("$(cat shop/.git/objects/info/alternates)");
  const own = await run({ prompt: harm });
  expect(own.transcript).toMatch(/read: done\n(\w[\w ]*: no\n){12}$/);
  expect((await say(own.run_id, harm)).said).toMatch(/read: done\n(\w[\w ]*: no\n){12}$/);
  const others = attemptsOn(join(workspaces, `${other.run_id}.objects`, "shop"));
  expect((await run({ prompt: others })).transcript).toMatch(/read: no\n(\w[\w ]*: no\n){12}$/);
  expect(contents()).toEqual(before);
});
