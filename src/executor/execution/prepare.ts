import { errorMessage, MillraceError } from "../../errors/error.ts";
import { isOfRepository, type RequestedCheckout } from "../../git/checkout.ts";
import type { MirrorCache } from "../../git/mirrors/mirror-cache.ts";
import { SourceError } from "../../git/revision.ts";
import { type SkillText, skillPrompt, skillReader } from "../../runs/agents/skills.ts";
import { EVENT_PAYLOAD } from "../../runs/rules/workspace-names.ts";
import type { Ending, Run } from "../../runs/run.ts";
import type { Assignment } from "../../runs/turn/assignment.ts";
import { setupFailed } from "../../runs/turn/ending.ts";
import type { TurnDoor } from "../../runs/turn/turn-door.ts";
import type { SetupStart } from "../../runs/turn/turn-start.ts";
import type { HarnessRow } from "../harness/harness.ts";
import { writeHarnessFiles } from "../harness/harness-files.ts";
import type { TranscriptWriter } from "../output/transcript-writer.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { mcpFile, unknownServers } from "../workspace/mcp-servers.ts";
import {
  cloneRepositories,
  goesWithout,
  type LocatedRepository,
  repositoryFolders,
} from "../workspace/repository-folders.ts";
import { objectsOf } from "../workspace/shared-objects.ts";
import {
  joinedPayloads,
  type Workspace,
  workspaceAt,
  writeInput,
  writeNewPayloads,
  writeTools,
} from "../workspace/workspace.ts";
import type { TakenWorkspace } from "../workspace/workspaces.ts";
import { type CachedSetup, HalfRestored } from "./cached-setup.ts";

export interface PrepareDeps {
  mirrors: MirrorCache;
  sandbox: Pick<Sandbox, "sharesObjects">;
}

/** What a turn is prepared with and where. */
export interface Preparation {
  assignment: Assignment;
  run: Run;
  door: Pick<TurnDoor, "listAttachments" | "findAttachment" | "findSkills">;
  program: HarnessRow;
  taken: TakenWorkspace;
  transcript: TranscriptWriter;
  /** What carries out the setup commands in the workspace of a run with these attachments. */
  setupOf(workspace: Workspace, attachmentNames: readonly string[]): CachedSetup;
  /** Ends the preparation with the reason of the signal. */
  signal: AbortSignal;
}

/** A workspace in which a turn can start. */
export interface Prepared {
  workspace: Workspace;
  /** What the run's skill says to the agent; empty without one, and where an earlier turn was told. */
  skill: string;
  /** Whether the run has had agents whose workspace is not there. */
  startsAnew: boolean;
  /** The files with its deliveries, oldest first, of a run that has several. */
  joined: readonly string[];
  /** How its setup went, where there is something to tell. */
  setup?: SetupStart | undefined;
}

/**
 * Makes the workspace of a run: repositories, skills, files, and then what the setup commands make of it. A later turn
 * finds it as the one before has left it.
 * @returns the end of the run when something is not to be had
 * @throws the signal's reason
 */
export async function prepareRun(preparation: Preparation, deps: PrepareDeps): Promise<Prepared | Ending> {
  const { door, taken, signal } = preparation;
  try {
    const [attachments, skills] = await Promise.all([
      door.listAttachments(),
      taken.isPrepared ? undefined : door.findSkills(signal),
    ]);
    const names = attachments.map(({ name }) => name);
    const workspace = workspaceAt(taken.path, names.includes(EVENT_PAYLOAD));
    const joined = joinedPayloads(names);
    if (!skills) {
      await writeNewPayloads(taken.path, joined, door);
      return { workspace, skill: "", startsAnew: false, joined };
    }
    const setup = preparation.setupOf(workspace, names);
    const prepare = () => prepareAnew({ ...preparation, skills, setup }, workspace, names, deps);
    return await prepare().catch(async (error) => {
      if (!(error instanceof HalfRestored)) throw error;
      preparation.transcript.note(`${error.message}; the workspace is prepared without it`);
      await taken.empty();
      return prepare();
    });
  } catch (error) {
    signal.throwIfAborted();
    return setupFailed(whyNot(error));
  }
}

type NewPreparation = Preparation & {
  skills: Awaited<ReturnType<TurnDoor["findSkills"]>>;
  setup: CachedSetup;
};

async function prepareAnew(
  { assignment, run, door, program, taken, transcript, skills, setup, signal }: NewPreparation,
  workspace: Workspace,
  attachmentNames: readonly string[],
  deps: PrepareDeps,
): Promise<Prepared | Ending> {
  const startsAnew = run.turn > 1 && run.startedAt !== null;
  if (startsAnew) {
    const where = assignment.isElsewhere ? "is on another machine" : "was removed";
    transcript.note(
      `the workspace of the previous turns ${where}; this turn starts in a new one, and its prompt contains the conversation so far`,
    );
  }
  for (const name of unknownServers(run.config))
    transcript.note(`mcp.json does not contain the server ${name}: its warp_id is not known to this server`);

  const located = locate(assignment, transcript.note);
  const { defined, asked } = skills;
  for (const { omission } of asked) if (omission !== undefined) transcript.note(omission);
  const folders = repositoryFolders(located, attachmentNames);
  for (const [folder, { owner, name }] of folders) transcript.note(`cloning ${owner}/${name} into ${folder}`);
  const { checkout, requestedCheckout: requested } = run.execution;
  if (requested && !located.some((each) => isOfRepository(each, requested)))
    throw cannotCheckOut(requested, "The run does not have this repository.");
  if (checkout && !located.some((each) => isOfRepository(each, checkout)))
    transcript.note(`the event is from ${checkout.repository}, which is not one of this run's repositories`);
  const author = authorOf(run);
  const cloned = await cloneRepositories(taken.path, folders, {
    mirrors: deps.mirrors,
    checkout,
    requested,
    author,
    note: transcript.note,
    signal,
    objects: deps.sandbox.sharesObjects ? objectsOf(taken.path) : undefined,
    mayGoWithout: assignment.repositoriesAreOptional,
    failure: (repository, why) =>
      requested && isOfRepository(repository, requested)
        ? cannotCheckOut(requested, why)
        : cannotClone(repository, why, assignment),
  });
  const ofRepositories = await clonedSkills(cloned, {
    mirrors: deps.mirrors,
    note: transcript.note,
    signal,
  });
  for (const { omission } of ofRepositories) if (omission !== undefined) transcript.note(omission);
  const texts = byName([...ofRepositories, ...defined, ...asked]);
  const { mcpServers } = mcpFile(run.config);
  await writeTools(taken.path, run, texts);
  const addInput = async () => writeInput(taken.path, run, await attachmentsOf(door, attachmentNames));
  if (!setup.isCached) await addInput();
  await writeHarnessFiles(program, taken.path, mcpServers);
  const clones = [...folders].flatMap(([folder, repository]) =>
    cloned.includes(repository) ? [folder] : [],
  );
  const tools = [texts, mcpServers, program.skills, program.mcp];
  const done = await setup.carryOut({ clones, author, tools });
  if ("state" in done) return done;
  if (setup.isCached) await addInput();
  await taken.markPrepared();
  const [first] = asked;
  return {
    workspace,
    skill: first ? skillPrompt(first) : "",
    startsAnew,
    joined: joinedPayloads(attachmentNames),
    setup: done.start,
  };
}

/** The last of one name wins. */
function byName(skills: readonly SkillText[]): SkillText[] {
  return [...new Map(skills.map((skill) => [skill.name, skill])).values()];
}

/** Who commits in the run's repositories: its agent, with an address that belongs to no one (RFC 2606). */
function authorOf({ executor }: Run): { name: string; email: string } {
  const name = executor.displayName.replace(/[\p{Cc}<>]/gu, " ").trim() || "agent";
  const local = name
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, "-")
    .replace(/^[.-]+|[.-]+$/g, "");
  return { name, email: `${local || "agent"}@millrace.invalid` };
}

function locate(
  { repositories, ...assignment }: Assignment,
  note: (text: string) => void,
): LocatedRepository[] {
  return repositories.flatMap(({ owner, name, remote }) => {
    if (!("missing" in remote)) return [{ owner, name, remote }];
    if (!assignment.repositoriesAreOptional) throw cannotClone({ owner, name }, remote.missing, assignment);
    note(goesWithout({ owner, name }, remote.missing));
    return [];
  });
}

function cannotClone(
  { owner, name }: { owner: string; name: string },
  why: string,
  { repositoriesOf }: Pick<Assignment, "repositoriesOf">,
): MillraceError {
  const orElse =
    repositoriesOf === "factory"
      ? " To allow runs without it, set `millrace: { repositories: optional }` in factory.yaml."
      : " To allow runs without it, remove it from the environment.";
  const message = `The repository ${owner}/${name} cannot be cloned. ${why}${orElse}`;
  return new MillraceError("environment_setup_failed", message);
}

function cannotCheckOut({ repository, ref }: RequestedCheckout, why: string): MillraceError {
  const message = `${repository} cannot be checked out at ${JSON.stringify(ref)}, which the request for this run specifies. ${why}`;
  return new MillraceError("environment_setup_failed", message);
}

async function attachmentsOf(door: Pick<TurnDoor, "findAttachment">, names: readonly string[]) {
  const attachments = [];
  for (const name of names) {
    const attachment = await door.findAttachment(name);
    if (attachment) attachments.push(attachment);
  }
  return attachments;
}

function whyNot(error: unknown): string {
  if (error instanceof MillraceError) return error.message;
  if (error instanceof SourceError) return `The workspace could not be prepared: ${error.message}`;
  return `The workspace could not be prepared: ${errorMessage(error)}.`;
}

/** Of one repository; no one reads more, and each is copied for each run. */
const MAX_SKILLS = 50;
const FOLDER = ".agents/skills";
const OF_AGENTS = /^\.agents\/skills\/([^/]+)\/SKILL\.md$/;

/**
 * The skills that cloned repositories keep for agents, those of the first repository winning. They are read on the
 * default branch, whatever is checked out: the head of a pull request is written by its author.
 * @param note hears of those that cannot be read
 */
export async function clonedSkills(
  repositories: readonly LocatedRepository[],
  { mirrors, note, signal }: { mirrors: MirrorCache; note(text: string): void; signal: AbortSignal },
): Promise<SkillText[]> {
  const found = new Map<string, SkillText>();
  for (const { owner, name: repository, remote } of repositories) {
    const tree = await mirrors.of(remote).readHead(signal, [FOLDER]);
    const paths = tree.entries.flatMap(({ kind, path }) =>
      kind === "file" && OF_AGENTS.test(path) ? [path] : [],
    );
    if (paths.length > MAX_SKILLS)
      note(
        `skills/ contains only the first ${MAX_SKILLS} of the ${paths.length} skills of ${owner}/${repository}`,
      );
    const read = skillReader(tree);
    for (const path of paths.slice(0, MAX_SKILLS)) {
      const [, name = ""] = OF_AGENTS.exec(path) ?? [];
      if (found.has(name)) continue;
      try {
        found.set(name, { name, ...(await read(`${owner}/${repository}:${path}`, path)) });
      } catch (error) {
        if (!(error instanceof MillraceError)) throw error;
        note(`the skill ${name} was skipped: ${error.message}`);
      }
    }
  }
  return [...found.values()];
}
