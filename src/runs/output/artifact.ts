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

/** What is said of an artifact, in the shape of the public API. */
export interface ArtifactData {
  artifact_uid: string;
  title?: string;
  url?: string;
  branch?: string;
  /** Of an external reference: what kind of thing it is. */
  reference_type?: string;
  /** Of a plan: its text. */
  content?: string;
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

/** Artifacts that are one: a pull request that is reported in every turn, a file that has not changed. */
export function isSameArtifact(a: Omit<Artifact, "id" | "turn" | "createdAt">, b: typeof a): boolean {
  if (a.type !== b.type) return false;
  if (a.type === "FILE") return a.data.filepath === b.data.filepath && a.data.sha256 === b.data.sha256;
  return a.data.url !== undefined && a.data.url === b.data.url;
}
