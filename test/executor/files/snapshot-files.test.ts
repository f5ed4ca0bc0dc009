import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { restoreFiles, type TakenFiles, takeFiles } from "../../../src/executor/files/snapshot-files.ts";
import { newUuid } from "../../../src/id.ts";
import { type Files, temporaryFolder, writeFiles } from "../../given/folder.ts";
import { runGit } from "../../given/repository.ts";

/** A workspace as clones leave it, and what happens to it afterwards. */
function aWorkspace(cloned: Files = {}, folder = temporaryFolder()) {
  const runId = newUuid();
  const workspace = join(folder, runId);
  mkdirSync(workspace);
  writeFiles(workspace, cloned);
  const at = (path: string) => join(workspace, path);
  return {
    folder,
    runId,
    workspace,
    at,
    write: (files: Files) => writeFiles(workspace, files),
    read: (path: string) => readFileSync(at(path), "utf8"),
  };
}

type Workspace = ReturnType<typeof aWorkspace>;

/** Waits for the next tick of the clock that files have. */
function sinceNow(folder: string): number {
  const marker = join(folder, "marker");
  const changed = () => {
    rmSync(marker, { force: true });
    writeFileSync(marker, "");
    return lstatSync(marker).ctimeMs;
  };
  const begun = changed();
  for (;;) {
    const now = changed();
    rmSync(marker);
    if (now > begun) return now;
  }
}

function taking(
  { workspace, runId, folder }: Workspace,
  setUp: () => void,
  options: Partial<Parameters<typeof takeFiles>[0]> = {},
) {
  const to = join(folder, "snapshot");
  mkdirSync(to);
  const sinceMs = sinceNow(folder);
  setUp();
  return takeFiles({
    ...{ workspace, runId, to, sinceMs, clones: ["shop"], secrets: [], freeBytes: 0 },
    most: { bytes: 1e9, files: 1_000 },
    ...options,
  });
}

const take = (...of: Parameters<typeof taking>) => toEnd(taking(...of));

function toEnd<T>(steps: Generator<void, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

const restore = ({ folder }: Workspace, { workspace, runId }: Workspace, seal?: string) =>
  toEnd(
    restoreFiles({
      from: join(folder, "snapshot"),
      workspace,
      runId,
      ...(seal === undefined ? {} : { seal }),
    }),
  );

const sealOf = (taken: TakenFiles) => ("seal" in taken ? taken.seal : `refused: ${taken.refused}`);

const CLONED = {
  "shop/README.md": "read",
  "shop/old/file": "old",
  "shop/gone": "gone",
  "shop/.git/config": "",
};

test("what was made, changed and removed is made, changed and removed in another workspace with the same clones", () => {
  const one = aWorkspace(CLONED);
  const taken = take(one, () => {
    one.write({ "shop/made/a": "a", "shop/README.md": "changed", "home/.cache/x": "x" });
    rmSync(one.at("shop/gone"));
    rmSync(one.at("shop/old"), { recursive: true });
    symlinkSync("made/a", one.at("shop/link"));
    writeFileSync(one.at("run"), "", { mode: 0o750 });
    mkdirSync(one.at("closed"));
    one.write({ "closed/in": "in" });
    chmodSync(one.at("closed"), 0o500);
  });
  expect(taken).toMatchObject({ files: expect.any(Number), bytes: 11 });
  const other = aWorkspace(CLONED);
  expect(restore(one, other)).toMatchObject({ bytes: 11 });
  expect(readdirSync(other.at("shop")).sort()).toEqual([".git", "README.md", "link", "made"]);
  expect([other.read("shop/README.md"), other.read("home/.cache/x"), other.read("closed/in")]).toEqual([
    "changed",
    "x",
    "in",
  ]);
  expect(readlinkSync(other.at("shop/link"))).toBe("made/a");
  expect(["run", "closed"].map((path) => lstatSync(other.at(path)).mode & 0o777)).toEqual([0o750, 0o500]);
});

test("the id of the run is that of the other run in files and in links, also where two pieces of a file meet", () => {
  const one = aWorkspace();
  const long = "x".repeat(1024 * 1024 - 10);
  take(one, () => {
    one.write({ long: `${long}${one.workspace}/a ${one.runId}` });
    symlinkSync(one.at("long"), one.at("link"));
  });
  const other = aWorkspace({}, one.folder);
  restore(one, other);
  expect(other.read("long") === `${long}${other.workspace}/a ${other.runId}`).toBe(true);
  expect(readlinkSync(other.at("link"))).toBe(other.at("long"));
});

test("what a snapshot takes of the disk counts whole blocks, names, and holes", () => {
  const one = aWorkspace();
  const taken = take(one, () => {
    for (let n = 0; n < 10; n += 1) one.write({ [`small/${n}`]: "x" });
    truncateSync(touched(one.at("holes")), 1_000_000);
  });
  expect(taken).toMatchObject({ bytes: 1_000_010 });
  expect("diskBytes" in taken && taken.diskBytes).toBeGreaterThan(1_000_000 + 10 * 4_096);
});

test("no file of a workspace is a file of the snapshot: what is written to one changes nothing in the other", () => {
  const one = aWorkspace();
  take(one, () => one.write({ made: "good" }));
  appendFileSync(one.at("made"), " and evil");
  const [first, second] = [aWorkspace(), aWorkspace()];
  restore(one, first);
  appendFileSync(first.at("made"), " and evil");
  restore(one, second);
  expect(second.read("made")).toBe("good");
  expect(lstatSync(second.at("made")).nlink).toBe(1);
});

test("where commands put a link in the place of a folder, nothing is written or removed through it", () => {
  const outside = aWorkspace({ file: "outside", "dir/file": "outside" });
  const one = aWorkspace({ "shop/dir/file": "in", "shop/dir/other": "in" });
  const taken = take(one, () => {
    rmSync(one.at("shop/dir"), { recursive: true });
    symlinkSync(outside.workspace, one.at("shop/dir"));
    symlinkSync(outside.at("file"), one.at("shop/link"));
  });
  expect(taken).not.toHaveProperty("refused");
  const other = aWorkspace({ "shop/dir/file": "in", "shop/dir/other": "in" });
  restore(one, other);
  expect(readlinkSync(other.at("shop/dir"))).toBe(outside.workspace);
  expect([outside.read("file"), outside.read("dir/file")]).toEqual(["outside", "outside"]);
  expect(readdirSync(outside.workspace).sort()).toEqual(["dir", "file"]);
});

test("where a clone has a link in the place of a folder that commands made, the link goes and what it leads to stays", () => {
  const outside = aWorkspace({ file: "outside" });
  const link = (workspace: Workspace) => {
    mkdirSync(workspace.at("shop"));
    symlinkSync(outside.workspace, workspace.at("shop/dir"));
  };
  const one = aWorkspace();
  link(one);
  take(one, () => {
    rmSync(one.at("shop/dir"));
    one.write({ "shop/dir/file": "made" });
  });
  const other = aWorkspace();
  link(other);
  restore(one, other);
  expect([other.read("shop/dir/file"), outside.read("file")]).toEqual(["made", "outside"]);
});

test("a workspace in which a link leads out of it, where the snapshot has a folder, is not restored", () => {
  const outside = aWorkspace({ file: "outside" });
  const one = aWorkspace({ "shop/dir/file": "in" });
  // The folder itself stays as it is: it is not in the snapshot.
  take(one, () => writeFileSync(one.at("shop/dir/file"), "changed"));
  const other = aWorkspace();
  mkdirSync(other.at("shop"));
  symlinkSync(outside.workspace, other.at("shop/dir"));
  expect(restore(one, other)).toEqual({ failure: "shop/dir is not a folder", isDamaged: false });
  expect(outside.read("file")).toBe("outside");
});

test.each<[string, (workspace: Workspace) => void, string]>([
  ["a pipe", ({ at }) => execFileSync("mkfifo", [at("pipe")]), "pipe is neither a file nor a folder"],
  [
    "a program with the rights of its owner",
    ({ at }) => {
      writeFileSync(at("su"), "");
      chmodSync(at("su"), 0o4755);
    },
    "su has a setuid, setgid or sticky bit",
  ],
  [
    "another name of a file outside",
    ({ at, folder }) => {
      writeFileSync(join(folder, "outside"), "outside");
      linkSync(join(folder, "outside"), at("inside"));
    },
    "inside has another hard link",
  ],
  [
    "a name with the id of the run",
    ({ at, runId }) => writeFileSync(at(`log-${runId}`), ""),
    "has the id of the run in its name",
  ],
  [
    "a commit",
    ({ at }) => void runGit(at("shop"), "commit", "--allow-empty", "-qm", "x"),
    "the history of shop",
  ],
  [
    "another branch",
    ({ at }) => void runGit(at("shop"), "symbolic-ref", "HEAD", "refs/heads/other"),
    "the history of shop",
  ],
  [
    "a secret",
    ({ at }) => writeFileSync(at("npmrc"), "token=a-secret-value"),
    "npmrc contains the value of a secret",
  ],
  [
    "a secret in base64",
    ({ at }) => writeFileSync(at("npmrc"), Buffer.from("x:a-secret-value").toString("base64")),
    "npmrc contains the value of a secret",
  ],
  [
    "a secret across two pieces",
    ({ at }) => writeFileSync(at("big"), `${"x".repeat(1024 * 1024 - 5)}a-secret-value`),
    "big contains the value of a secret",
  ],
  ["too much", ({ at }) => truncateSync(touched(at("big")), 2e9), "made more than a snapshot may have"],
])("a snapshot is not made of %s, and it is said why", (_, setUp, reason) => {
  const one = aWorkspace({ "shop/README.md": "read" });
  runGit(one.at("shop"), "init", "--quiet");
  const taken = take(one, () => setUp(one), { secrets: ["a-secret-value"] });
  expect(taken).toEqual({ refused: expect.stringContaining(reason) });
});

function touched(path: string): string {
  writeFileSync(path, "");
  return path;
}

test("whatever is changed while it is copied, a snapshot has what was there before, or there is none", () => {
  const changes: ((workspace: Workspace) => void)[] = [
    ({ at }) => appendFileSync(at("modules/3"), "evil"),
    ({ at }) => {
      rmSync(at("modules/3"), { force: true });
      symlinkSync("/etc/hostname", at("modules/3"));
    },
    ({ at }) => {
      renameSync(at("modules"), at("away"));
      symlinkSync("/etc", at("modules"));
    },
    ({ at }) => truncateSync(at("big"), 10),
  ];
  let refused = 0;
  for (const change of changes) {
    for (let steps = 0; ; steps += 1) {
      const one = aWorkspace();
      const taking_ = taking(one, () => {
        for (let n = 0; n < 4; n += 1) one.write({ [`modules/${n}`]: "good" });
        one.write({ big: "x".repeat(1024 * 1024 + 1) });
      });
      let step = taking_.next();
      for (let n = 0; n < steps && !step.done; n += 1) step = taking_.next();
      if (step.done) break;
      change(one);
      const taken = toEnd(taking_);
      if ("refused" in taken) refused += 1;
      else {
        const other = aWorkspace();
        restore(one, other);
        const texts = existsSync(other.at("modules/3")) && lstatSync(other.at("modules/3")).isFile();
        if (texts) expect(["good", "goodevil"]).toContain(other.read("modules/3"));
        expect(existsSync(other.at("modules/hostname"))).toBe(false);
      }
    }
  }
  expect(refused).toBeGreaterThan(0);
});

test("a snapshot that was changed is not restored where its seal is known, whatever was changed", () => {
  const changes: ((snapshot: string) => void)[] = [
    (snapshot) => writeFileSync(join(snapshot, "0", "1"), "evil"),
    (snapshot) => {
      rmSync(join(snapshot, "0", "1"));
      symlinkSync("/etc/hostname", join(snapshot, "0", "1"));
    },
    (snapshot) => rmSync(join(snapshot, "0", "1")),
    (snapshot) => {
      const listing = join(snapshot, "listing.json");
      writeFileSync(listing, readFileSync(listing, "utf8").replace('"made"', '"../../made"'));
    },
    (snapshot) => rmSync(join(snapshot, "listing.json")),
  ];
  for (const change of changes) {
    const one = aWorkspace();
    const taken = take(one, () => one.write({ made: "good" }));
    expect(readFileSync(join(one.folder, "snapshot", "0", "1"), "utf8")).toBe("good");
    change(join(one.folder, "snapshot"));
    const other = aWorkspace();
    expect(restore(one, other, sealOf(taken))).toEqual({ failure: expect.any(String), isDamaged: true });
  }
});
