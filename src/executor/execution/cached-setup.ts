import { AGENT_JSON, EVENT_PAYLOAD, EVENT_PAYLOADS } from "../../runs/rules/workspace-names.ts";
import type { Ending, Run } from "../../runs/run.ts";
import type { Assignment } from "../../runs/turn/assignment.ts";
import type { SetupStart } from "../../runs/turn/turn-start.ts";
import type { FileWorker } from "../files/file-worker.ts";
import type { TranscriptWriter } from "../output/transcript-writer.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import {
  describeSystem,
  distance,
  hashOf,
  type LockFiles,
  placeOfClone,
  type SetupKey,
  whyAnother,
} from "../workspace/setup-key.ts";
import { describeSnapshot, type Snapshots } from "../workspace/snapshots.ts";

export interface CachedSetupDeps {
  /** Nothing where the settings keep none. */
  snapshots?: Snapshots | undefined;
  sandbox: Pick<Sandbox, "mode" | "findImage">;
  files: Pick<FileWorker, "run">;
}

/** The setup of one workspace. */
export interface CachedSetupOptions {
  assignment: Assignment;
  run: Run;
  workspace: string;
  transcript: Pick<TranscriptWriter, "note">;
  /** What the commands have in their environment, without secrets. */
  environment: Readonly<Record<string, string>>;
  /** The secrets that they have in their environment, some as texts that a proxy replaces. */
  secrets: ReadonlyMap<string, string>;
  /** Texts that are no secrets: a proxy replaces them. */
  placeholders: readonly string[];
  attachmentNames: readonly string[];
  /** Gives what is in the workspace to the user that its programs run as. */
  giveWorkspace(): Promise<void>;
  /** Runs the commands. @returns the end of the run when one of them failed */
  execute(): Promise<Ending | undefined>;
  signal: AbortSignal;
}

/** What is in the workspace already. */
export interface SetupBase {
  /** Folders of clones. */
  clones: readonly string[];
  /** Who commits there. */
  author: unknown;
  /** What was written for the tools of the run. */
  tools: unknown;
}

/** A workspace whose restoring has failed: it is to be made again, without the snapshot. */
export class HalfRestored extends Error {}

/** Runs setup commands, or restores what they have made of another workspace. */
export interface CachedSetup {
  /** Whether the commands find nothing that is this run's alone: then others can use what they make. */
  readonly isCached: boolean;
  /** @returns the end of the run when a command failed, and what its timeline tells otherwise */
  carryOut(base: SetupBase): Promise<Ending | { start: SetupStart | undefined }>;
}

export function cachedSetup(options: CachedSetupOptions, deps: CachedSetupDeps): CachedSetup {
  const { assignment, transcript } = options;
  const execute = async () => {
    if (assignment.setupCommands.length > 0) await options.giveWorkspace();
    return options.execute();
  };
  const why = whyNotCached(options, deps);
  const { snapshots } = deps;
  let mayRestore = true;
  const withoutCache = async (reason: string | undefined) => {
    if (reason !== undefined) transcript.note(`no snapshot of the setup is made: ${reason}`);
    const failure = await execute();
    return failure ?? { start: reason === undefined ? undefined : { restored: false, reason } };
  };
  const isSilent = assignment.setupCommands.length === 0 || assignment.cacheSetup === undefined;
  if (why !== undefined || !snapshots || isSilent)
    return { isCached: false, carryOut: () => withoutCache(why) };
  return {
    isCached: true,
    async carryOut(base) {
      const key = await keyOf(options, base, deps);
      if (key === undefined) return withoutCache("the image of the run is not on this machine yet");
      const found = mayRestore ? await snapshots.find(key) : undefined;
      if (found) {
        mayRestore = false;
        return restore(found);
      }
      const lockFiles = await findLockFiles(options, base, deps);
      const reason = await whyMissed(key, lockFiles, snapshots);
      transcript.note(`setup runs: ${reason}`);
      const failure = await runAndKeep({ key, lockFiles, base });
      return failure ?? { start: { restored: false, reason } };
    },
  };

  async function restore(found: Awaited<ReturnType<Snapshots["find"]>> & object) {
    const { workspace, run, signal } = options;
    const begun = performance.now();
    const done = await snapshots?.restore(found, { workspace, runId: run.id, signal });
    if (!done || "failure" in done)
      throw new HalfRestored(`the snapshot of ${found.madeAt} could not be restored: ${done?.failure}`);
    const seconds = Number(((performance.now() - begun) / 1_000).toFixed(1));
    transcript.note(
      `setup restored from a snapshot made at ${found.madeAt} in ${seconds} s (${describeSnapshot(done)})`,
    );
    return { start: { restored: true, made_at: found.madeAt, seconds } };
  }

  async function runAndKeep({
    key,
    lockFiles,
    base,
  }: {
    key: SetupKey;
    lockFiles: LockFiles;
    base: SetupBase;
  }) {
    const { workspace, run, signal } = options;
    await options.giveWorkspace();
    const sinceMs = await snapshots?.readClock();
    const clocks = Date.now() - performance.now();
    const failure = await options.execute();
    if (failure) return failure;
    if (!snapshots || sinceMs === undefined) return undefined;
    const refused = (reason: string) => transcript.note(`no snapshot of the setup was made: ${reason}`);
    if (Math.abs(Date.now() - performance.now() - clocks) > CLOCK_TOLERANCE_MS) {
      refused("the clock of the machine was changed in the meantime");
      return undefined;
    }
    // No git: the commands could have made its configuration start programs.
    const after = await machineOf(options, deps).catch(() => undefined);
    if (!after || after.sandbox !== key.parts.sandbox || after.system !== key.parts.system) {
      refused("the machine changed in the meantime");
      return undefined;
    }
    const { clones } = base;
    const secrets = secretsSeen(options);
    const made = await snapshots.take(key, {
      workspace,
      runId: run.id,
      sinceMs,
      clones,
      lockFiles,
      secrets,
      signal,
    });
    if ("refused" in made) refused(made.refused);
    else transcript.note(`a snapshot of the setup was made (${describeSnapshot(made)})`);
    return undefined;
  }
}

/** Times of files would not say what is new. */
const CLOCK_TOLERANCE_MS = 20;

/** What commands name that read what is this run's alone. */
const OF_RUN = [
  "MILLRACE_PAYLOAD_FILE",
  "MILLRACE_PROMPT_FILE",
  EVENT_PAYLOAD,
  EVENT_PAYLOADS,
  AGENT_JSON,
  "prompt.md",
];

/** @returns nothing where setup is cached, and where that goes without saying; otherwise why not, in words without a full stop */
function whyNotCached(
  { assignment, secrets, placeholders, attachmentNames }: CachedSetupOptions,
  { snapshots }: CachedSetupDeps,
): string | undefined {
  const { setupCommands, cacheSetup } = assignment;
  if (setupCommands.length === 0 || cacheSetup === undefined || !snapshots) return undefined;
  if (cacheSetup === false) return "cacheSetup is false";
  const seen = [...secrets].filter(([, value]) => !placeholders.includes(value)).map(([name]) => name);
  if (seen.length > 0 && cacheSetup !== true)
    return `its commands have secrets in their environment (${seen.join(", ")}), and cacheSetup is not true`;
  const isPayload = (name: string) => name === EVENT_PAYLOAD || name.startsWith(`${EVENT_PAYLOADS}/`);
  if (!attachmentNames.every(isPayload)) return "the run has attachments, which its commands could use";
  for (const name of OF_RUN)
    if (setupCommands.some(({ command }) => command.includes(name)))
      return `one of its commands uses ${name}, which is another one in each run`;
  return undefined;
}

/** Values and placeholders that commands may have written into files. */
function secretsSeen({ assignment, secrets, placeholders }: CachedSetupOptions): string[] {
  const injected = (assignment.injections ?? []).map(({ value }) => value);
  const seen = [...secrets.values(), ...placeholders, ...injected];
  return seen.length === 0 ? [] : [...new Set([...seen, ...assignment.hidden])];
}

/** What the commands find outside of the workspace. @returns nothing while the image is not known */
async function machineOf(
  { assignment: { machine }, environment }: Pick<CachedSetupOptions, "assignment" | "environment">,
  { sandbox }: CachedSetupDeps,
): Promise<Pick<SetupKey["parts"], "sandbox" | "system"> | undefined> {
  const image = sandbox.findImage && (await sandbox.findImage(machine.image));
  if (sandbox.findImage && image === undefined) return undefined;
  return {
    sandbox: hashOf([sandbox.mode, machine.image, image]),
    system: hashOf(sandbox.findImage ? [] : await describeSystem(environment.PATH ?? "")),
  };
}

/** @returns nothing while the image is not known */
async function keyOf(
  options: CachedSetupOptions,
  { clones, author, tools }: SetupBase,
  deps: CachedSetupDeps,
): Promise<SetupKey | undefined> {
  const { assignment, run, workspace, environment, secrets, signal } = options;
  const { machine, network, injections = [], setupCommands } = assignment;
  const found = await machineOf(options, deps);
  if (!found) return undefined;
  const places = await Promise.all(
    clones.map(async (folder) => [folder, await placeOfClone(`${workspace}/${folder}`, signal)] as const),
  );
  // The id of the run is another one each time, and is replaced in what is restored.
  const variables = Object.entries(environment)
    .filter(([name]) => !secrets.has(name))
    .map(([name, value]) => [name, value.replaceAll(run.id, "")])
    .sort();
  return {
    factory: hashOf(run.factoryUid).slice(0, 32),
    parts: {
      commands: hashOf(setupCommands.map(({ command }) => command)),
      ...found,
      machine: hashOf(machine),
      network: hashOf([network, injections.map(({ name, hosts }) => [name, hosts])]),
      environment: hashOf([variables, [...secrets.keys()].sort()]),
      tools: hashOf(tools),
      author: hashOf(author),
      origin: hashOf([run.execution.checkout?.fromFork === true]),
    },
    repositories: Object.fromEntries(places.toSorted(([one], [other]) => (one < other ? -1 : 1))),
  };
}

async function findLockFiles(
  { workspace, signal }: CachedSetupOptions,
  { clones }: SetupBase,
  { files }: CachedSetupDeps,
): Promise<LockFiles> {
  const found = await Promise.all(
    clones.map(async (folder) => {
      const { result } = await files.run("findLockFiles", { folder: `${workspace}/${folder}` }, signal);
      return Object.entries(result).map(([path, hash]) => [`${folder}/${path}`, hash]);
    }),
  );
  return Object.fromEntries(found.flat());
}

async function whyMissed(key: SetupKey, lockFiles: LockFiles, snapshots: Snapshots): Promise<string> {
  const [nearest] = (await snapshots.listOf(key)).sort(
    (one, other) => distance(key, one.key) - distance(key, other.key),
  );
  return nearest ? whyAnother(key, lockFiles, nearest) : "there is no snapshot for it yet";
}
