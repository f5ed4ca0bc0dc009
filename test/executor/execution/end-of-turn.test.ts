import { existsSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { unconfined } from "../../../src/executor/sandbox/unconfined.ts";
import { openWorkspaces, type Workspaces } from "../../../src/executor/workspace/workspaces.ts";
import type { ActiveDefinition } from "../../../src/reconcile/active-definition.ts";
import type { TranscriptStore } from "../../../src/runs/output/transcript.ts";
import { executeHere } from "../../../src/server/create-executor.ts";
import { FACTORY, load } from "../../given/definition.ts";
import { executing, noSignals } from "../../given/executing.ts";
import { aStoreOf } from "../../given/factory.ts";
import { temporaryFolder } from "../../given/folder.ts";
import { AT, aRun, LEASE } from "../../given/store.ts";

const USAGE = { bytes: 1, files: 1, unlinkedBytes: 0, isOver: false };
const CREDENTIAL = JSON.stringify({ host: "registry.example.com", user: "ann", password: "secret" });
const RUNNER = `description: For builds.
platform: { os: linux, linux: { dockerImage: "registry.example.com/agent:1", registryCredentialSecretName: PULL } }
`;

/**
 * Carries out a turn that pulls an image with a credential.
 * @param meanwhile what happens to the folder of the credential while the turn ends
 * @returns what was done at its end, in this order, each with whether the credential was there and the workspace was taken
 */
async function endOf(meanwhile: (folder: string) => void = () => {}) {
  const store = await aStoreOf("f");
  const { definition } = await load({ ...FACTORY, "runners/build.yaml": RUNNER });
  const folder = join(temporaryFolder(), "registry-auths");
  const own = openWorkspaces(join(temporaryFolder(), "workspaces"));
  await store.runs.create(aRun({ factoryUid: "f", config: { name: "default", runner_id: "build" } }), AT);
  const [claim] = await store.runs.claim(1, LEASE, AT);
  if (!claim) throw new Error("there was nothing to claim");

  const done: string[] = [];
  const isCredentialThere = () => existsSync(join(folder, claim.run.id, "config.json"));
  const note = (what: string) =>
    done.push(`${what}, ${isCredentialThere() ? "with" : "without"} the credential`);
  let onUsageNoted = () => {};
  const usageNoted = new Promise<void>((resolve) => {
    onUsageNoted = resolve;
  });
  const workspaces: Workspaces = {
    ...own,
    async take(runId, anew) {
      const taken = await own.take(runId, anew);
      return {
        ...taken,
        async noteUsage(usage) {
          await taken.noteUsage(usage);
          note("the usage is noted");
          meanwhile(folder);
          onUsageNoted();
        },
        release() {
          note("the workspace is released");
          taken.release();
        },
      };
    },
  };
  const transcripts = new Proxy<TranscriptStore>(store.transcripts, {
    get: (target, name) =>
      name !== "append"
        ? Reflect.get(target, name)
        : async (...args: Parameters<TranscriptStore["append"]>) => {
            // Longer than everything else that ends a turn.
            await usageNoted;
            await target.append(...args);
            note("the output is stored");
          },
  });
  const watch = () => ({
    look: async () => {},
    end() {
      note("the count of its files ends");
      return USAGE;
    },
  });
  const parts = executing(
    { runs: store.runs, transcripts },
    {
      turns: {
        vault: { open: async (names) => new Map(names.includes("PULL") ? [["PULL", CREDENTIAL]] : []) },
        usesImages: true,
        activeOf: () => ({ definition, webhooks: [], resources: [] }) as unknown as ActiveDefinition,
      },
      execution: {
        sandbox: { ...unconfined(), mode: "container" },
        registryAuths: folder,
        workspaces,
        usage: { watch },
        host: {
          start() {
            throw new Error("no agent");
          },
          takeUp() {
            throw new Error("no agent");
          },
          async end() {},
        },
      },
    },
  );
  // A turn that cannot be started has one line of output, that its secret is missing.
  claim.run.execution.secrets = ["NOT_THERE"];
  await executeHere(claim, parts, noSignals());
  return { done, run: await store.runs.find(claim.run.id), isFree: await own.remove(claim.run.id) };
}

test("at its end a turn is counted no more, notes what was counted, stores its output, removes its credential, and gives its workspace back last", async () => {
  const { done, isFree } = await endOf();
  expect(done).toEqual([
    "the count of its files ends, with the credential",
    "the usage is noted, with the credential",
    "the output is stored, with the credential",
    "the workspace is released, without the credential",
  ]);
  expect(isFree).toBe(true);
});

test("a credential that cannot be removed keeps no workspace taken, and the run ends", async () => {
  const { done, run, isFree } = await endOf((folder) => {
    renameSync(folder, `${folder}-elsewhere`);
    writeFileSync(folder, "no folder");
  });
  expect(done.at(-1)).toBe("the workspace is released, without the credential");
  expect([run?.state, isFree]).toEqual(["FAILED", true]);
});
