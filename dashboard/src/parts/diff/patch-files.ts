import { parsePatch, type StructuredPatch } from "diff";

/** More of a patch is not read: what is left is named by its count. */
const MAX_FILES = 2_000;
/** A longer file is named and not drawn. */
const MAX_LINES = 20_000;
const MAX_CHARACTERS = 2_000_000;
/** So long may pass until anyone who looks at the page can scroll and click again. */
const SLICE_MS = 25;

/** One file of a patch. */
export interface PatchFile {
  /** Its place in the patch: the name may occur twice, in two commits. */
  place: number;
  path: string;
  /** Where it was before, if it was moved or copied. */
  before?: string;
  change: "changed" | "added" | "deleted" | "renamed" | "copied";
  /** What else was changed: that it is executable now. */
  note?: string;
  added: number;
  removed: number;
  /** What can be drawn of it: nothing of what is binary or huge. */
  content:
    | { kind: "hunks"; hunks: StructuredPatch["hunks"] }
    /** What is no patch, though it stands in one: it is shown as it is written. */
    | { kind: "text"; lines: string[] }
    | { kind: "binary" }
    | { kind: "huge"; lines: number };
}

export interface Patch {
  files: PatchFile[];
  /** How many more files it has. */
  unread: number;
  added: number;
  removed: number;
}

/** Reads a patch that someone else wrote, of any size: every few milliseconds the page can do something else. */
export async function readPatch(text: string): Promise<Patch> {
  const { sections, unread } = sectionsOf(text);
  const files: PatchFile[] = [];
  let since = performance.now();
  for (const section of sections) {
    for (const file of filesOf(section)) files.push({ ...file, place: files.length });
    if (performance.now() - since < SLICE_MS) continue;
    await new Promise((go) => setTimeout(go));
    since = performance.now();
  }
  const sum = (of: "added" | "removed") => files.reduce((all, file) => all + file[of], 0);
  return { files, unread, added: sum("added"), removed: sum("removed") };
}

const GIT = "diff --git ";
/** How the mails of `git format-patch` begin: no line of a file can, since each has a sign before it. */
const NEXT_MAIL = /\nFrom [0-9a-f]{40} Mon Sep 17 00:00:00 2001\n/;

/** How they end. The last lines of a file could look like that, so they are taken for it only where they fit nothing else. */
const SIGNATURE = /\n-- \n[^\n]*\n*$/;

/** What a patch of git has of each file; of another patch, all of it. */
function sectionsOf(text: string): { sections: string[]; unread: number } {
  let start = text.startsWith(GIT) ? 0 : text.indexOf(`\n${GIT}`) + 1;
  if (start === 0 && !text.startsWith(GIT)) return { sections: text.trim() === "" ? [] : [text], unread: 0 };
  const sections: string[] = [];
  let unread = 0;
  while (start >= 0) {
    const next = text.indexOf(`\n${GIT}`, start);
    const end = next < 0 ? text.length : next;
    if (sections.length < MAX_FILES) sections.push(text.slice(start, end));
    else unread += 1;
    start = next < 0 ? -1 : next + 1;
  }
  return { sections, unread };
}

type Unplaced = Omit<PatchFile, "place">;

function filesOf(section: string): Unplaced[] {
  const mail = section.search(NEXT_MAIL);
  const text = mail < 0 ? section : section.slice(0, mail);
  const lines = countLines(text);
  if (lines > MAX_LINES || text.length > MAX_CHARACTERS) return [hugeFile(text, lines)];
  const parsed = parsedFrom(text) ?? parsedFrom(text.replace(SIGNATURE, "\n")) ?? [];
  const files = parsed.filter(({ hunks, isGit }) => isGit || hunks.length > 0);
  if (files.length > 0) return files.map((file) => fileOf(file, text));
  const path = nameIn(text);
  return [
    { path, change: "changed", added: 0, removed: 0, content: { kind: "text", lines: text.split("\n") } },
  ];
}

/** Nothing where it is no patch, or more than one file in a section of git. */
function parsedFrom(text: string): StructuredPatch[] | undefined {
  try {
    const parsed = parsePatch(text);
    return text.startsWith(GIT) && parsed.length > 1 ? undefined : parsed;
  } catch {
    return undefined;
  }
}

function fileOf(file: StructuredPatch, text: string): Unplaced {
  const { hunks, isRename, isCopy, isCreate, isDelete, oldMode, newMode } = file;
  const before = plainName(file.oldFileName);
  const after = plainName(file.newFileName);
  const path = after ?? before ?? "unnamed";
  const change = isRename
    ? "renamed"
    : isCopy
      ? "copied"
      : isCreate || before === undefined
        ? "added"
        : isDelete || after === undefined
          ? "deleted"
          : "changed";
  const isMoved = change === "renamed" || change === "copied";
  const isBinary = file.isBinary || (hunks.length === 0 && text.includes("\nGIT binary patch\n"));
  const note = modeNote(oldMode, newMode);
  return {
    path,
    change,
    ...(isMoved && before !== undefined && { before }),
    ...(note !== undefined && { note }),
    ...countsOf(hunks),
    content: isBinary ? { kind: "binary" } : { kind: "hunks", hunks },
  };
}

/** What a change of its mode means, where someone has to know. */
function modeNote(before: string | undefined, after: string | undefined): string | undefined {
  if (after === "120000") return "is a symbolic link now";
  if (after === "160000") return "is a submodule now";
  if (after === "100755" && before !== "100755") return "is executable now";
  if (before === "100755" && after === "100644") return "is not executable any more";
  return undefined;
}

function countsOf(hunks: StructuredPatch["hunks"]) {
  let added = 0;
  let removed = 0;
  for (const { lines } of hunks) {
    for (const line of lines) {
      if (line[0] === "+") added += 1;
      else if (line[0] === "-") removed += 1;
    }
  }
  return { added, removed };
}

/** Without the letters that git puts before it; nothing for no file. */
function plainName(name: string | undefined): string | undefined {
  if (name === undefined || name === "/dev/null" || name === "") return undefined;
  return name.replace(/^[ab]\//, "");
}

/** The name of a file whose section is not read. */
function nameIn(text: string): string {
  const head = text.slice(0, 2_000);
  const [, name] = /^\+\+\+ (?:b\/)?([^\t\n]+)/m.exec(head) ?? /^diff --git .* b\/(.+)$/m.exec(head) ?? [];
  return name ?? "Not a patch";
}

function hugeFile(text: string, lines: number): Unplaced {
  const change = /^new file mode /m.test(text.slice(0, 2_000)) ? "added" : "changed";
  return { path: nameIn(text), change, added: 0, removed: 0, content: { kind: "huge", lines } };
}

/** Without making a list of them, which could be long. */
function countLines(text: string): number {
  let lines = text.endsWith("\n") ? 0 : 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines += 1;
  return lines;
}
