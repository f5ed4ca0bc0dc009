import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { folderWith, temporaryFolder } from "./folder.ts";

export interface GitSpy {
  /** A PATH on which git writes down how it is called, and then does what it is asked. */
  path: string;
  /** The commands of git so far, each with its arguments. */
  calls(): string[];
  /** Everything that was written down: environment and arguments. */
  seen(): string;
}

/** A program before git on the PATH that notes every call. */
export function spyOnGit(): GitSpy {
  const git = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
  const log = join(temporaryFolder(), "log");
  const script = `#!/bin/sh\n{ env; echo "called $*"; } >> ${log}\nexec ${git} "$@"\n`;
  const folder = folderWith({ git: script });
  chmodSync(join(folder, "git"), 0o755);
  const seen = () => (existsSync(log) ? readFileSync(log, "utf8") : "");
  return {
    path: `${folder}:${process.env.PATH}`,
    seen,
    calls: () => [...seen().matchAll(/^called (.*)$/gm)].map((match) => match[1] ?? ""),
  };
}
