import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { SILENCE_LIMIT_MS } from "../open-git.ts";
import type { Revision, Tree, TreeEntry } from "../revision.ts";
import { type CommitDraft, type FileEdit, MILLRACE } from "./managed-branch.ts";

/** What keeps the newest commit that was written from being collected, until the branch holds it. */
const DRAFT_REF = "refs/millrace/edit";

/** A commit as `git fast-import` takes it; `treeOf` is the id of a whole tree, and the first commit has no parent. */
export type WrittenCommit = Omit<CommitDraft, "parent" | "treeOf"> & { parent?: string; tree?: string };

/**
 * Writes a commit with one git process: no working tree, no index, no hook, and no content in an argument list.
 * @param environment git's own, which names the repository
 * @returns the hash of the commit
 */
export async function writeCommit(
  commit: WrittenCommit,
  environment: Record<string, string>,
): Promise<string> {
  const said = await fastImport(streamOf(commit), environment);
  const hash = said.trim();
  if (/^[0-9a-f]{40,64}$/.test(hash)) return hash;
  throw new Error(`git fast-import responded with "${said.slice(0, 200)}" to a commit`);
}

/** https://git-scm.com/docs/git-fast-import#_input_format: texts go with their length, so nothing in them is a command. */
function streamOf({ parent, tree, edits, author, message, at }: WrittenCommit): Buffer {
  const when = `${Math.floor(at.getTime() / 1000)} +0000`;
  const parts: Buffer[] = [];
  const line = (text: string) => parts.push(Buffer.from(`${text}\n`));
  const data = (bytes: Buffer) => {
    line(`data ${bytes.length}`);
    parts.push(bytes, Buffer.from("\n"));
  };
  line(`commit ${DRAFT_REF}`);
  line("mark :1");
  line(`author ${author} ${when}`);
  line(`committer ${MILLRACE} ${when}`);
  data(Buffer.from(message));
  if (parent) line(`from ${parent}`);
  if (tree) line(`M 040000 ${tree} ""`);
  for (const { path, content, executable } of edits) {
    if (content === null) line(`D ${quoted(path)}`);
    else {
      line(`M ${executable ? "100755" : "100644"} inline ${quoted(path)}`);
      data(content);
    }
  }
  line("get-mark :1");
  line("done");
  return Buffer.concat(parts);
}

/** A path between quotation marks, as git reads it: everything but plain letters as the octal digits of its bytes. */
function quoted(path: string): string {
  const escaped = [...Buffer.from(path)].map((byte) =>
    byte > 0x1f && byte < 0x7f && byte !== 0x22 && byte !== 0x5c
      ? String.fromCharCode(byte)
      : `\\${byte.toString(8).padStart(3, "0")}`,
  );
  return `"${escaped.join("")}"`;
}

function fastImport(input: Buffer, environment: Record<string, string>): Promise<string> {
  return new Promise((resolve, reject) => {
    const git = spawn("git", ["fast-import", "--quiet", "--force", "--done"], {
      env: environment,
      stdio: ["pipe", "pipe", "pipe"],
      // What hangs (a disk that is gone) must not hold the factory for ever.
      timeout: SILENCE_LIMIT_MS,
      killSignal: "SIGKILL",
    });
    let answer = "";
    let complaint = "";
    git.stdout.on("data", (chunk: Buffer) => {
      answer += chunk;
    });
    git.stderr.on("data", (chunk: Buffer) => {
      complaint = (complaint + chunk.toString()).slice(0, 2_000);
    });
    git.on("error", reject);
    git.on("close", (code) => {
      // It says what was on its stack, which holds what was to be written; its first line says what is wrong.
      if (code === 0) resolve(answer);
      else reject(new Error(`git fast-import exited with code ${code}: ${complaint.trim().split("\n")[0]}`));
    });
    // When git ends early, writing fails with EPIPE; its exit code says why.
    git.stdin.on("error", () => {});
    git.stdin.end(input);
  });
}

/**
 * The tree that edits make of another, before anything of it is written. Files have the ids that git will give them, so
 * that what is known of the rest need not be read again.
 */
export function editTree(base: Tree, edits: readonly FileEdit[], revision: Revision): Tree {
  const contents = new Map<string, Buffer>();
  const entries = new Map(base.entries.map((entry) => [entry.path, entry]));
  for (const { path, content, executable } of edits) {
    if (content === null) {
      entries.delete(path);
      continue;
    }
    const id = blobId(content);
    contents.set(id, content);
    entries.set(path, {
      path,
      kind: "file",
      size: content.length,
      id,
      ...(executable ? { executable } : {}),
    });
  }
  return {
    ...base,
    revision,
    entries: [...entries.values()].sort(byPath),
    async read(wanted) {
      const before = wanted.filter(({ id }) => !contents.has(id));
      const read = before.length > 0 ? await base.read(before) : new Map<string, Buffer>();
      for (const { id } of wanted) {
        const content = contents.get(id);
        if (content) read.set(id, content);
      }
      return read;
    },
  };
}

/** What git calls a content by: https://git-scm.com/book/en/v2/Git-Internals-Git-Objects */
export function blobId(content: Buffer): string {
  return createHash("sha1").update(`blob ${content.length}\0`).update(content).digest("hex");
}

/** As `git ls-tree -r` lists them, but for characters beyond the first plane, which no order depends on. */
function byPath(a: TreeEntry, b: TreeEntry): number {
  return a.path < b.path ? -1 : 1;
}
