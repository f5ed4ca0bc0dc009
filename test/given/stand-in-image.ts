import { execFileSync } from "node:child_process";
import { copyFileSync, cpSync, existsSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { temporaryFolder } from "./folder.ts";
import type { ImageEngine } from "./image-engine.ts";

/** What the official images of Node have beside Debian: a compiler, Python, and git. */
const PACKAGES = "ca-certificates,build-essential,python3,git";
const CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt";

let made: string | undefined;

/**
 * Gives an image that cannot be pulled a stand-in of the same name: Debian, made by debootstrap, with the Node of this
 * machine in the place and with the user that the official image has them.
 */
export function importStandIn(engine: ImageEngine, image: string): void {
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
