import { join } from "node:path";
import { expect, test } from "vitest";
import { createForges } from "../../src/forge/forge.ts";
import { createMirrorCache } from "../../src/git/mirror-cache.ts";
import { createLog } from "../../src/log.ts";
import { type ExecuteParts, executeRun } from "../../src/runs/execute.ts";
import { runHere } from "../../src/runs/files/run-here.ts";
import type { RunStore } from "../../src/runs/run.ts";
import { unconfined } from "../../src/runs/sandbox/unconfined.ts";
import { openWorkspaces } from "../../src/runs/workspace/workspaces.ts";
import { anAgentHost } from "../given/agent-host.ts";
import { temporaryFolder } from "../given/folder.ts";
import { aRun, aStore, LEASE } from "../given/store.ts";

test.each(["start", "listAttachments"] as const)(
  "a run whose %s the store cannot do ends, and does not stay claimed",
  async (method) => {
    const { runs, transcripts } = await aStore();
    const fail = () => Promise.reject(new Error("database or disk is full"));
    const store = new Proxy<RunStore>(runs, {
      get: (target, name) => (name === method ? fail : Reflect.get(target, name)),
    });
    await runs.create(aRun(), new Date().toISOString());
    const [claim] = await runs.claim(1, LEASE, new Date().toISOString());
    if (!claim) throw new Error("there was nothing to claim");
    const parts: ExecuteParts = {
      store,
      transcripts,
      vault: { open: async () => new Map() },
      harnesses: { has: () => true, find: () => ({ command: ["true"], stdin: "none", output: "text" }) },
      sandbox: unconfined(),
      host: anAgentHost(),
      files: runHere,
      artifacts: join(temporaryFolder(), "artifacts"),
      registryAuths: join(temporaryFolder(), "registry-auths"),
      workspaces: openWorkspaces(join(temporaryFolder(), "workspaces")),
      usage: { watch: () => () => undefined },
      environments: { find: async () => undefined },
      servedOf: () => undefined,
      webhookSecrets: () => new Set(),
      forges: createForges([]),
      hasForges: false,
      mirrors: createMirrorCache(temporaryFolder()),
      apiUrl: () => "http://127.0.0.1:1",
      timeoutMs: 10_000,
      log: createLog("silent"),
      now: () => new Date(),
    };
    await executeRun(claim, parts, {
      stop: new AbortController().signal,
      cancel: new AbortController().signal,
      onMessage() {},
    });
    expect(await runs.find(claim.run.id)).toMatchObject({
      state: "FAILED",
      statusMessage: {
        error_code: "environment_setup_failed",
        message: expect.stringContaining("disk is full"),
      },
    });
  },
);
