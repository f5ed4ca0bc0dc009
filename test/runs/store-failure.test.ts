import { expect, test } from "vitest";
import type { RunStore } from "../../src/runs/run-store.ts";
import { executeHere } from "../../src/server/create-executor.ts";
import { executing, noSignals } from "../given/executing.ts";
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
    await executeHere(claim, executing({ runs: store, transcripts }), noSignals());
    expect(await runs.find(claim.run.id)).toMatchObject({
      state: "FAILED",
      statusMessage: {
        error_code: "environment_setup_failed",
        message: expect.stringContaining("disk is full"),
      },
    });
  },
);
