import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onFinished } from "./cleanup.ts";
import { temporaryFolder } from "./folder.ts";
import { importStandIn } from "./stand-in-image.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** Some machines let nobody raise limits; these are low enough everywhere. */
const ULIMITS = "--ulimit nofile=1024:1024 --ulimit nproc=1000:1000";

/** An engine for containers that answers to `docker`, as the pages of the documentation call it. */
export interface ImageEngine {
  name: "docker" | "podman";
  /** Runs what somebody would type, in the folder of the project. @returns what was printed */
  type(commands: string): string;
  /** Asks the image's own healthcheck. */
  isHealthy(container: string): boolean;
}

/** Docker where there is one that works, else Debian's podman with a storage of its own, which goes with the test. */
export function startEngine(): ImageEngine {
  return works("docker", ["info"]) ? engine("docker", process.env.PATH ?? "") : podmanAsDocker();
}

function podmanAsDocker(): ImageEngine {
  const folder = temporaryFolder("millrace-image");
  const bin = join(folder, "bin");
  const storage = `--root ${join(folder, "root")} --runroot ${join(folder, "run")} --storage-driver=vfs --runtime runc`;
  mkdirSync(bin);
  program(
    join(bin, "own-podman"),
    `case "$1" in
  build) shift; exec podman ${storage} build --isolation=chroot --format=docker --layers=false "$@" ;;
  run) shift; exec podman ${storage} run ${ULIMITS} "$@" ;;
  *) exec podman ${storage} "$@" ;;
esac`,
  );
  program(
    join(bin, "docker"),
    `case "$1" in
  compose) shift; exec podman-compose --podman-path ${join(bin, "own-podman")} "$@" ;;
  *) exec ${join(bin, "own-podman")} "$@" ;;
esac`,
  );
  const podman = engine("podman", `${bin}:${process.env.PATH}`);
  onFinished(() => {
    podman.type("docker rm --all --force; docker rmi --all --force");
  });
  for (const image of baseImages()) {
    if (!podman.type(`docker pull --quiet ${image} 2>&1 || echo FAILED`).includes("FAILED")) continue;
    importStandIn(podman, image);
  }
  return podman;
}

function engine(name: ImageEngine["name"], path: string): ImageEngine {
  const type = (commands: string) =>
    execFileSync("sh", ["-ec", commands], {
      cwd: ROOT,
      env: { ...process.env, PATH: path },
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
      maxBuffer: 64 * 1024 * 1024,
    });
  return {
    name,
    type,
    // Podman asks at the times that systemd tells it, and there may be none.
    isHealthy: (container) =>
      name === "podman"
        ? type(`docker healthcheck run ${container} >&2 && echo yes || echo no`).includes("yes")
        : type(`docker inspect --format '{{.State.Health.Status}}' ${container}`).trim() === "healthy",
  };
}

/** What the Dockerfile is built on. */
function baseImages(): string[] {
  const text = execFileSync(
    "sed",
    ["-n", "s/^ARG NODE=//p; s/^FROM \\([^ ]*\\).*/\\1/p", join(ROOT, "Dockerfile")],
    {
      encoding: "utf8",
    },
  );
  const [version = "", ...images] = text.trim().split("\n");
  return images.map((image) => image.replace(`\${NODE}`, version));
}

function program(file: string, text: string): void {
  writeFileSync(file, `#!/bin/sh\n${text}\n`);
  chmodSync(file, 0o755);
}

function works(command: string, args: string[]): boolean {
  try {
    execFileSync(command, args, { stdio: "ignore", timeout: 20_000 });
    return true;
  } catch {
    return false;
  }
}
