import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../given/folder.ts";
import { SERVERS } from "../given/sandbox-of.ts";
import { serverOf } from "../given/server-user.ts";

/** Says which files it has that are called so. */
const LOOK = `
  import { readdirSync, readlinkSync } from "node:fs";
  const nameOf = (fd) => { try { return readlinkSync("/proc/self/fd/" + fd); } catch { return ""; } };
  console.log(JSON.stringify(readdirSync("/proc/self/fd").filter((fd) => nameOf(fd).includes("inherited.txt"))));`;

describe.each(SERVERS)("of a server that is %s", (user) => {
  test.each(["bwrap", "none"])("an agent under %s has no file that the server inherited", async (sandbox) => {
    const file = join(temporaryFolder(), "inherited.txt");
    writeFileSync(file, "not for agents");
    const descriptors = [7, 20, 21, 300].map((descriptor) => `${descriptor}<"${file}"`).join(" ");
    const wrapper = ["bash", "-c", `exec ${descriptors}; exec "$@"`, "bash"];
    const { run } = await serverOf(user, sandbox, LOOK, { wrapper });
    expect(await run()).toMatchObject({ state: "SUCCEEDED", transcript: "[]\n" });
  });
});
