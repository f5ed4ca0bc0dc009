import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "./folder.ts";

/** A podman with images and containers of its own, and what a server needs to be told of it. */
export interface Podman {
  settings: Record<string, string>;
  /** The names of all its containers, ended ones too. */
  containers(): string[];
}

export const IMAGE = "localhost/millrace-test:latest";
const COMMANDS =
  "sh cat ls sleep id touch dd setsid env ps kill echo true mkdir rm ln head wc nc stat tr mv chmod chown test wget grep".split(
    " ",
  );
const ULIMITS = "--ulimit nofile=1024:1024 --ulimit nproc=1000:1000";

/** Makes one with an image of busybox, for which no registry is asked. */
export function startPodman(): Podman {
  const folder = temporaryFolder("millrace-podman");
  const storage = ["--root", join(folder, "root"), "--runroot", join(folder, "run"), "--storage-driver=vfs"];
  const command = ["podman", ...storage, "--runtime", "runc"];
  const ask = (...args: string[]) =>
    execFileSync("podman", [...command.slice(1), ...args], { encoding: "utf8" });
  const tar = busyboxTree(folder);
  ask("import", "--quiet", tar, IMAGE);
  return {
    settings: {
      MILLRACE_SANDBOX: "container",
      MILLRACE_CONTAINER_COMMAND: command.join(" "),
      MILLRACE_CONTAINER_OPTIONS: ULIMITS,
      MILLRACE_CONTAINER_IMAGE: IMAGE,
    },
    containers: () => ask("ps", "--all", "--format", "{{.Names}}").split("\n").filter(Boolean),
  };
}

function busyboxTree(folder: string): string {
  const tree = join(folder, "tree");
  for (const name of ["bin", "tmp", "etc", "proc", "dev", "sys", "run"])
    mkdirSync(join(tree, name), { recursive: true });
  // Engines keep the mode that an image gives its /tmp, whatever they mount there.
  chmodSync(join(tree, "tmp"), 0o1777);
  copyFileSync("/bin/busybox", join(tree, "bin", "busybox"));
  for (const name of COMMANDS) symlinkSync("busybox", join(tree, "bin", name));
  const tar = join(folder, "tree.tar");
  execFileSync("tar", ["-C", tree, "-cf", tar, "."]);
  return tar;
}
