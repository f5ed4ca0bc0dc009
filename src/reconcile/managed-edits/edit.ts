import { errorsInOneLine, hasErrors, type Problem } from "../../definitions/problem.ts";
import { inShell, MillraceError } from "../../errors/error.ts";
import type { FileEdit, ManagedBranch } from "../../git/managed/managed-branch.ts";
import { editTree } from "../../git/managed/write-commit.ts";
import { SourceError, type Tree } from "../../git/revision.ts";
import type { Principal } from "../../principals/principal.ts";
import { includesFactory, onlyFor } from "../../secrets/rules/scope.ts";
import type { ScopedSecret } from "../../secrets/secret.ts";
import type { Vault } from "../../secrets/vault.ts";
import type { ActiveDefinition } from "../active-definition.ts";
import { applyWithFiles, attemptOf, definitionAfter, written } from "../apply.ts";
import type { FactoryRecord, FactoryStore, NotApplied } from "../factory.ts";
import { takenMeanwhile } from "../factory-name.ts";
import type { Outcome } from "../outcome.ts";
import { appliedRevisionOf, pastTree } from "../past-tree.ts";
import { type Evaluation, evaluate } from "../steps.ts";
import type { ReconcileDeps, Subject } from "../subject.ts";
import type { SecretRotation } from "../webhook-credentials.ts";

/** A change of a definition that millrace keeps. */
export interface Edit {
  principal: Principal;
  /**
   * Says what changes, while nothing else changes it. Nothing means that all is as it should be.
   * @throws MillraceError to leave everything as it is
   */
  change(current: Editable): Promise<Edits | undefined> | Edits | undefined;
}

/** What is in force, for whoever changes it. */
export interface Editable {
  factory: FactoryRecord;
  active: ActiveDefinition;
  tree: Tree;
}

/** What is to change: files, values of secrets, or values alone. */
export interface Edits {
  /** What the commit says; the first line is its title. */
  message: string;
  files: readonly FileEdit[];
  secrets?: readonly { name: string; value: string; isNew: boolean }[];
  /** The secret whose value is another with it. */
  rotation?: SecretRotation;
  /** Whether the prune guard stops it as it stops a commit: who sends many files may not know what goes with them. */
  isGuarded?: boolean;
}

/**
 * Validates a change as an apply would, commits it and brings it into force, or leaves all as it was. The store decides: the
 * branch moves after the transaction, and where a crash comes between, the next pass moves it. Serialised by the caller.
 * @param settle is told the outcome while the branch moves
 * @throws MillraceError that says why nothing has changed
 */
export async function applyEdit(
  edit: Edit,
  subject: Subject,
  deps: ReconcileDeps,
  settle: (outcome: Outcome) => Promise<void>,
): Promise<void> {
  const { factory, source, active } = subject;
  if (!source.branch || !active) throw nothingToEdit(factory);
  if (factory.sync.status === "suspended") throw suspended(factory);
  const tree = await treeOfBranch(source.branch, subject, deps.store);
  const edits = await edit.change({ factory, active, tree });
  if (!edits) return settle({ kind: "unchanged" });
  const at = deps.now();
  const draft = { id: "", author: authorOf(edit.principal), message: edits.message };
  const secrets = edits.secrets ?? [];
  const meant = {
    ...subject,
    rotation: edits.rotation,
    newSecrets: new Map(secrets.map(({ name, value }) => [name, value])),
    // Who changes one thing has asked for that thing; the prune guard still tells what it means.
    request: { principal: edit.principal, allowsDeletes: edits.isGuarded ? [] : [""] },
  };
  const sealed = await sealedFor(factory.uid, secrets, deps.vault);
  const edited = editTree(tree, edits.files, draft);
  const evaluation = await evaluate(edited, meant, false, deps);
  const { candidate, problems } = evaluation;
  if (!candidate || hasErrors(problems)) throw refused(problems);
  const [taken] = evaluation.taken;
  if (taken) throw alreadyTaken(taken);

  const parent = tree.revision.id;
  const committed = await source.branch
    .commit({ parent, edits: edits.files, author: draft.author, message: draft.message, at })
    .catch(unavailable);
  const record = attemptOf(committed.revision, evaluation, "edit", edit.principal, at);
  const application = { ...record, ...written(candidate), secrets: sealed, suspends: false };
  const paths = edits.files.map(({ path }) => path);
  const history = source.branch.history(committed.revision.id, parent, paths).catch(unavailable);
  const applied = await applyWithFiles(factory.uid, application, { tree: edited, history }, deps.store);
  if (typeof applied === "string") throw await notApplied(applied, evaluation, deps);
  // It is in force: when the branch cannot be moved now, the next look at it does that.
  const moved = source.branch.advance(parent, committed.revision.id).catch(() => {});
  const { generation } = applied;
  await settle({
    kind: "applied",
    active: definitionAfter(candidate, { generation, at: record.at }, deps.sealer),
  });
  await moved;
}

/**
 * New secrets become those of the factory; of one that is there only the value changes.
 * @throws MillraceError `conflict` for a name that is taken, by a secret that the factory may not use
 */
async function sealedFor(
  factoryUid: string,
  secrets: NonNullable<Edits["secrets"]>,
  vault: Pick<Vault, "seal" | "scopeOf">,
): Promise<ScopedSecret[]> {
  const sealed: ScopedSecret[] = [];
  for (const { name, value, isNew } of secrets) {
    const expected = await vault.scopeOf(name);
    if (expected && (isNew || !includesFactory(expected, factoryUid))) throw secretTaken(name);
    sealed.push({ ...vault.seal(name, value), scope: expected ?? onlyFor([factoryUid]), expected });
  }
  return sealed;
}

/** @throws MillraceError when the branch is not at what is in force, or cannot be read */
async function treeOfBranch(branch: ManagedBranch, subject: Subject, store: FactoryStore): Promise<Tree> {
  const applied = appliedRevisionOf(subject);
  const tip = await branch.settle(applied).catch(unavailable);
  if (tip !== applied) {
    throw new MillraceError(
      "conflict",
      `The factory's repository has the commit ${tip.slice(0, 12)}, which was pushed to it directly and is not applied.`,
      { remedy: "Run `millrace sync`; if that does not help, run `millrace status`.", retryable: false },
    );
  }
  return pastTree(applied, subject, store);
}

/** A repository that cannot be used just now. @throws MillraceError `service_unavailable` */
export function unavailable(error: unknown): never {
  if (!(error instanceof SourceError)) throw error;
  throw new MillraceError("service_unavailable", error.message, { retryAfter: 30, cause: error });
}

async function notApplied(
  why: NotApplied,
  { loaded, target, candidate }: Evaluation,
  deps: ReconcileDeps,
): Promise<MillraceError> {
  if (why === "moved") return editedMeanwhile(target.factory);
  if (why === "suspended" || !candidate) return suspended(target.factory);
  if (why === "secret taken") {
    const message = "Someone else changed the secret at the same time, so nothing was changed.";
    return new MillraceError("conflict", message, { remedy: "Try again." });
  }
  const { definition } = candidate;
  return alreadyTaken(await takenMeanwhile(why, definition, loaded, target.factory, deps));
}

/** Two have changed the definition at the same time, at two servers: the one who comes second has not seen the first change. */
function editedMeanwhile({ name }: FactoryRecord): MillraceError {
  const message = `Someone else changed the definition of "${name}" at the same time, through another server, so nothing was changed.`;
  return new MillraceError("conflict", message, {
    remedy: "Read the definition again, check that your change still fits, and repeat it.",
  });
}

/** Names of secrets are unique on a server: what is there may be another factory's, of which nothing is said. */
function secretTaken(name: string): MillraceError {
  const message = `The secret name ${name} is used by a secret that this factory may not use, so nothing was changed.`;
  return new MillraceError("conflict", message, {
    remedy:
      "Choose another name for the secret, or ask someone with a key for the whole server to share that secret (`millrace secrets set --factory`, `--shared`).",
    retryable: false,
    extra: { field: "secret_name" },
  });
}

function alreadyTaken(taken: Problem): MillraceError {
  return new MillraceError("conflict", `${taken.path}: ${taken.message}.`, {
    retryable: false,
    extra: { problems: [taken] },
  });
}

/** Nobody reads more of them in an answer. */
const MAX_PROBLEMS = 50;

function refused(problems: readonly Problem[]): MillraceError {
  const errors = problems.filter(({ severity }) => severity === "error");
  return new MillraceError(
    "invalid_request",
    `The definition would not be valid, so nothing was changed: ${errorsInOneLine(errors)}.`,
    { remedy: "Fix all of these problems.", extra: { problems: errors.slice(0, MAX_PROBLEMS) } },
  );
}

function suspended({ name }: FactoryRecord): MillraceError {
  return new MillraceError("conflict", `The factory "${name}" is suspended, so no changes are applied.`, {
    remedy: `Run \`millrace resume ${inShell(name)}\` first.`,
    retryable: false,
  });
}

function nothingToEdit({ name }: FactoryRecord): MillraceError {
  return new MillraceError("conflict", `The factory "${name}" has no applied definition to change.`, {
    remedy: "Run `millrace status` to see its problems.",
    retryable: false,
  });
}

/** A principal as git names the author of a commit: `Name <email>`, of which neither can hold what ends it. */
export function authorOf({ displayName, uid }: Principal): string {
  const name = displayName
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
    .replace(/[\u0000-\u001f\u007f<>]+/g, " ")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, 200);
  const address = uid.replace(/[^A-Za-z0-9._-]+/g, "-");
  return `${name === "" ? address : name} <${address}@millrace.localhost>`;
}
