import { execFileSync } from "node:child_process";
import { GIT_ENVIRONMENT, type Repository } from "./repository.ts";

/** What an entry of a tree is; a text is a file's content. */
export type RawEntry = string | Buffer | { tree: string } | { link: string } | { submodule: string };

/** Makes objects as nobody would who uses git as it is meant. */
export interface RawObjects {
  /** A tree with these entries, whatever their names are. @returns its hash */
  tree(entries: readonly (readonly [name: string | Buffer, entry: RawEntry])[]): string;
  /** A commit with a tree, as a ref. @returns its hash */
  commit(tree: string, ref: string): string;
  /** A commit whose text is given as it is, after its first line. */
  rawCommit(tree: string, rest: string, ref: string): string;
}

export function rawObjects({ url }: Repository): RawObjects {
  const git = (args: string[], input: string | Buffer = "") =>
    execFileSync("git", args, {
      cwd: url,
      env: GIT_ENVIRONMENT,
      input: Buffer.from(input),
      encoding: "latin1",
      maxBuffer: 1 << 30,
    }).trim();
  const write = (type: string, bytes: string | Buffer) =>
    git(["hash-object", "-w", "-t", type, "--literally", "--stdin"], bytes);
  const known = new Map<string, string>();
  const blob = (content: string | Buffer) => {
    const key = Buffer.from(content).toString("latin1");
    const hash = known.get(key) ?? write("blob", content);
    known.set(key, hash);
    return hash;
  };

  function entry(name: string | Buffer, what: RawEntry): Buffer {
    const [mode, hash] =
      typeof what === "string" || Buffer.isBuffer(what)
        ? ["100644", blob(what)]
        : "tree" in what
          ? ["40000", what.tree]
          : "link" in what
            ? ["120000", blob(what.link)]
            : ["160000", what.submodule];
    return Buffer.concat([
      Buffer.from(`${mode} `),
      Buffer.from(name),
      Buffer.from([0]),
      Buffer.from(hash, "hex"),
    ]);
  }

  const rawCommit = (tree: string, rest: string, ref: string) => {
    const hash = write("commit", `tree ${tree}\n${rest}`);
    git(["update-ref", ref, hash]);
    return hash;
  };
  return {
    tree: (entries) => write("tree", Buffer.concat(entries.map(([name, what]) => entry(name, what)))),
    commit: (tree, ref) =>
      rawCommit(tree, "author A <a@b> 1 +0000\ncommitter A <a@b> 1 +0000\n\nChange\n", ref),
    rawCommit,
  };
}

/** A tree of a few kilobytes that holds ten billion files: the same folders in folders, ten levels deep. @returns its hash */
export function filesWithoutEnd(raw: Pick<RawObjects, "tree">): string {
  let tree = raw.tree(Array.from({ length: 10 }, (_, index) => [`f${index}`, "x"] as const));
  for (let level = 0; level < 9; level += 1) {
    const inner = tree;
    tree = raw.tree(Array.from({ length: 10 }, (_, index) => [`d${index}`, { tree: inner }] as const));
  }
  return tree;
}
