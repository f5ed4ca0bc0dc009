import { execFileSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { onFinished } from "./cleanup.ts";
import { temporaryFolder } from "./folder.ts";

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

/** What the official images of Node have beside Debian: a compiler, Python, and git. */
const PACKAGES = "ca-certificates,build-essential,python3,git";
const CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt";

let made: string | undefined;

/**
 * Gives an image that cannot be pulled a stand-in of the same name: Debian, made by debootstrap, with the Node of this
 * machine in the place and with the user that the official image has them.
 */
function importStandIn(engine: ImageEngine, image: string): void {
  made ??= debianWithNode();
  process.stderr.write(
    `${image} cannot be pulled here: a stand-in of that name is Debian of debootstrap with Node ${process.versions.node}.\n`,
  );
  engine.type(`docker import --quiet --change ENV=NODE_EXTRA_CA_CERTS=${CERTIFICATES} ${made} ${image} >&2`);
}

function debianWithNode(): string {
  const folder = temporaryFolder("millrace-stand-in");
  const tree = join(folder, "tree");
  execFileSync("debootstrap", ["--variant=minbase", `--include=${PACKAGES}`, "bookworm", tree], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const prefix = dirname(dirname(process.execPath));
  const local = join(tree, "usr/local");
  copyFileSync(process.execPath, join(local, "bin/node"));
  cpSync(join(prefix, "include/node"), join(local, "include/node"), { recursive: true });
  cpSync(join(prefix, "lib/node_modules/npm"), join(local, "lib/node_modules/npm"), { recursive: true });
  for (const name of ["npm", "npx"])
    symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, join(local, "bin", name));
  execFileSync("chroot", [tree, "useradd", "--create-home", "--uid", "1000", "node"]);
  // It trusts whom this machine trusts, a proxy of its network among them.
  if (existsSync(CERTIFICATES)) copyFileSync(CERTIFICATES, join(tree, CERTIFICATES));
  rmSync(join(tree, "var/cache/apt/archives"), { recursive: true, force: true });
  mkdirSync(join(tree, "var/cache/apt/archives/partial"), { recursive: true });
  const tar = join(folder, "tree.tar");
  execFileSync("tar", ["-C", tree, "--exclude=./proc/*", "--exclude=./dev/*", "-cf", tar, "."]);
  rmSync(tree, { recursive: true, force: true });
  return tar;
}
