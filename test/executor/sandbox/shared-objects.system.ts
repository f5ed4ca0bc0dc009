import { chownSync, linkSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { container } from "../../../src/executor/sandbox/container.ts";
import { unconfined } from "../../../src/executor/sandbox/unconfined.ts";
import { objectsOf } from "../../../src/executor/workspace/shared-objects.ts";
import { temporaryFolder } from "../../given/folder.ts";
import { NOBODY, SERVERS, sandboxOf } from "../../given/sandbox-of.ts";
import { attemptsOn } from "../../given/scripted-clones.ts";

describe.each(SERVERS)("under bubblewrap of a server that is %s", (server) => {
  test("programs read the objects that clones share, and cannot write them regardless of their owner", async () => {
    const { launch, start, folder, workspace } = await sandboxOf(server);
    const pack = join(folder, "mirror.pack");
    writeFileSync(pack, "objects", { mode: 0o444 });
    const shared = join(objectsOf(workspace), "shop", "pack");
    mkdirSync(shared, { recursive: true });
    linkSync(pack, join(shared, "pack-1.pack"));
    if (server === "nobody")
      for (const path of [pack, shared, join(shared, ".."), join(shared, "../..")])
        chownSync(path, NOBODY.uid, NOBODY.gid);
    const { command } = await launch(["true"]);
    expect(command).toMatch(/bwrap$/);
    const { closed } = await start(["sh", "-c", attemptsOn(join(objectsOf(workspace), "shop"))]);
    expect((await closed).said).toMatch(/^read: done\n(\w[\w ]*: no\n){12}$/);
    expect([readFileSync(pack, "utf8"), readdirSync(shared)]).toEqual(["objects", ["pack-1.pack"]]);
  });
});

test("agents that have the user of the server share nothing, since they could write it", () => {
  expect(unconfined().sharesObjects).toBe(false);
  expect(unconfined({ users: { first: 40_000, count: 20_000 } }).sharesObjects).toBe(true);
});

test("a container gets the objects that clones share to read alone, and nothing where there are none", () => {
  const workspace = join(temporaryFolder(), "run");
  const sandbox = container({
    engine: ["podman"],
    ...{
      isPodman: true,
      options: [],
      image: "image",
      users: undefined,
      held: { reason: "the program socat is not installed" },
      network: true,
      processes: 10,
    },
    limits: undefined,
  });
  const words = () => sandbox.launch({ runId: "1", workspace, command: ["true"], environment: {} }).args;
  expect(words().join(" ")).not.toContain(".objects");
  mkdirSync(objectsOf(workspace));
  const place = objectsOf(workspace);
  expect(words()).toContain(`type=bind,source=${place},target=${place},readonly`);
});
