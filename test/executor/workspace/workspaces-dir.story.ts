import { chmodSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { serverWithAgent } from "../../given/agent.ts";
import { temporaryFolder } from "../../given/folder.ts";
import { SANDBOXES } from "../../given/isolated.ts";
import { failToStart } from "../../given/server.ts";

const AGENT = `
  import { readdirSync, writeFileSync } from "node:fs";
  writeFileSync("made", "here");
  const list = (path) => { try { return readdirSync(path).join(" "); } catch (error) { return error.code; } };
  console.log("workspaces: " + list("..") + "; parent: " + list("../.."));`;

test.each([...SANDBOXES])(
  "under %s workspaces lie in the folder that the settings name, and agents see their own alone",
  async (sandbox) => {
    const volume = temporaryFolder();
    chmodSync(volume, 0o755);
    const workspaces = join(volume, "workspaces");
    const env = { MILLRACE_WORKSPACES_DIR: workspaces, MILLRACE_SANDBOX: sandbox };
    const { run, server } = await serverWithAgent(AGENT, { env });
    const other = await run();
    const { run_id, state, transcript } = await run();
    expect(state).toBe("SUCCEEDED");
    expect(readFileSync(join(workspaces, run_id, "made"), "utf8")).toBe("here");
    expect(existsSync(join(server.dataDir, "workspaces", run_id))).toBe(false);
    expect(transcript).not.toContain(other.run_id);
    const { code, said } = await failToStart(["--data-dir", join(temporaryFolder(), "data")], {
      MILLRACE_WORKSPACES_DIR: workspaces,
    });
    expect([code === 0, said]).toEqual([
      false,
      expect.stringContaining("Another millrace process uses the workspaces"),
    ]);
  },
);
