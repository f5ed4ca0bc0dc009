/** Names in a backup. */
export const MANIFEST = "manifest.json";
export const MAIN_DATABASE = "millrace.db";
export const TRANSCRIPTS = "millrace-transcripts.db";
/** Folders of the data folder that are in a backup: files that runs left, and repositories that are nowhere else. */
export const ARTIFACTS = "artifacts";
export const REPOSITORIES = "factories";

/** A layout that another program version could not read has another number. */
export const FORMAT = 2;
/** Backups of versions that did not seal them. */
export const UNSEALED_FORMAT = 1;

/** What a backup says of itself: its first entry. */
export interface Manifest {
  format: number;
  /** The version of the program that made it. */
  version: string;
  made_at: string;
  databases: { name: string; bytes: number; sha256: string }[];
}
