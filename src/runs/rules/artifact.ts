import { basename } from "node:path";
import mimeTypes from "mime-types";
/** What an agent reports by itself, in the words of the public API. */
export const REPORTED_TYPES = ["PLAN", "PULL_REQUEST", "EXTERNAL_REFERENCE"] as const;

/** A run leaves no more; a loop that reports for ever must not fill the store. */
export const MAX_ARTIFACTS = 100;
/** What may be said of all artifacts of a run together, in bytes of JSON: the texts of plans are most of it. */
export const MAX_ARTIFACT_BYTES = 4 * 1024 * 1024;
/** What all artifacts of a run may come to. */
export const MAX_OF_RUN = { count: MAX_ARTIFACTS, bytes: MAX_ARTIFACT_BYTES };

/** Why an artifact was not added. */
export type ArtifactLimit = "too many" | "too large";

/** Something that an agent has made: it reports links and plans, and leaves files in its folder `artifacts/`. */
export interface Artifact {
  id: string;
  turn: number;
  type: (typeof REPORTED_TYPES)[number] | "FILE";
  data: ArtifactData;
  createdAt: string;
}

/** A file that an agent has left, and whose bytes are kept. */
export interface KeptFile {
  id: string;
  /** Below the folder `artifacts/`, with `/`. */
  path: string;
  size: number;
  /** Hexadecimal. */
  sha256: string;
  holdsSecret: boolean;
}

/** What is said of an artifact, in the shape of the public API. */
export interface ArtifactData {
  artifact_uid: string;
  title?: string;
  url?: string;
  /** Of a pull request, or the branch that is reported itself. */
  branch?: string;
  /** Of an external reference: what kind of thing it is. */
  reference_type?: string;
  /** Of a branch: `owner/name`. */
  repository?: string;
  /** Of a branch: the hash of the commit that it had. */
  commit?: string;
  /** Of a plan: its text. */
  content?: string;
  /** Of a file that is to be applied to a repository. */
  kind?: "patch";
  /** Of a file: its path below the folder `artifacts/`, with `/`. */
  filepath?: string;
  filename?: string;
  mime_type?: string;
  size_bytes?: number;
  /** Hexadecimal. */
  sha256?: string;
  /** Of a file of text: that it holds a secret that the run was granted. */
  contains_secret?: true;
}

/** The type of an external reference that is a branch, which has no address of its own. */
export const BRANCH_REFERENCE = "branch";

/** Whether an artifact is a branch that was pushed. */
export function isBranch({
  type,
  data,
}: {
  type: string;
  data: Pick<ArtifactData, "reference_type">;
}): boolean {
  return type === "EXTERNAL_REFERENCE" && data.reference_type === BRANCH_REFERENCE;
}

const PATCH = /\.(patch|diff)$/i;

/** Whether a file by this name is a patch, which `git apply` takes. */
export function isPatch(path: string): boolean {
  return PATCH.test(path);
}

/** The name of a file that is reported as a patch: the ending makes it one, in the folder artifacts/ too. */
export function patchName(path: string): string {
  return isPatch(path) ? path : `${path}.patch`;
}

/** What tells one artifact of a run from another. */
type DescribedData = {
  [Key in "title" | "url" | "filepath" | "kind" | "branch" | "repository" | "commit"]?: string | undefined;
};

/** What an artifact is, in one line for agents and people; files by the names under which they are fetched. */
export function artifactText({
  title,
  url,
  filepath,
  kind,
  branch,
  repository,
  commit,
}: DescribedData): string {
  const of = repository === undefined ? "" : ` of ${repository}`;
  const at = commit === undefined ? "" : ` at commit ${commit.slice(0, 12)}`;
  const parts = [title, url, filepath, kind && `(${kind})`, branch && `branch ${branch}${of}${at}`];
  return parts.filter(Boolean).join(" ");
}

/** Artifacts that are one: a pull request that is reported in every turn, a file that has not changed. */
export function isSameArtifact(a: Omit<Artifact, "id" | "turn" | "createdAt">, b: typeof a): boolean {
  if (a.type !== b.type) return false;
  if (a.type === "FILE") return a.data.filepath === b.data.filepath && a.data.sha256 === b.data.sha256;
  if (isBranch(a) && isBranch(b)) {
    const { repository, branch, commit, url } = a.data;
    const other = b.data;
    const isOne = repository === other.repository && branch === other.branch;
    return isOne && commit === other.commit && url === other.url;
  }
  return a.data.url !== undefined && a.data.url === b.data.url;
}

/** Keeps what agents have made. */
export interface RunArtifactStore {
  /**
   * @param ticket of who executes the turn: without the turn, nothing is added
   * @returns the limit of the run that keeps the artifact from being added, which counts what comes at once too
   */
  addArtifact(
    runId: string,
    artifact: Artifact,
    most: { count: number; bytes: number },
    ticket?: number,
  ): Promise<ArtifactLimit | undefined>;
  /** By run, in the order in which they were made. */
  listArtifacts(runIds: readonly string[]): Promise<Record<string, Artifact[]>>;
  findArtifact(id: string): Promise<{ runId: string; artifact: Artifact } | undefined>;
}

/** So many folders may lie between a file and the folder. */
export const DEEPEST = 8;

/** Of a file little is stored. What an agent has reported before keeps no file out, since it is told to leave long texts as files. */
export const MAX_FILES = { count: MAX_ARTIFACTS, bytes: Number.MAX_SAFE_INTEGER };

/** A file of a run as it is listed. */
export function fileArtifact(
  { id, path, size, sha256, holdsSecret }: KeptFile,
  { turn, at, mimeType }: { turn: number; at: Date; mimeType?: string | undefined },
): Artifact {
  return {
    id,
    turn,
    type: "FILE",
    data: {
      artifact_uid: id,
      filename: basename(path),
      filepath: path,
      mime_type: mimeType ?? (mimeTypes.lookup(path) || "application/octet-stream"),
      ...(isPatch(path) ? { kind: "patch" } : {}),
      size_bytes: size,
      sha256,
      ...(holdsSecret ? { contains_secret: true } : {}),
    },
    createdAt: at.toISOString(),
  };
}

/** Whether a path can be that of a file below `artifacts/`: a relative one whose parts are plain names. */
export function isArtifactPath(path: string): boolean {
  const parts = path.split("/");
  const isPlain = (part: string) => !["", ".", ".."].includes(part) && !/[\\\p{Cc}]/u.test(part);
  return parts.length <= DEEPEST + 1 && parts.every(isPlain);
}
