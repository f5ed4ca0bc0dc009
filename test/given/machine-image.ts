import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "./folder.ts";

/** What the machine has beside the smallest Debian: what an operator installs, and what attackers and the tests use. */
const PACKAGES = [
  ...["systemd", "systemd-sysv", "udev", "linux-image-cloud-amd64", "initramfs-tools"],
  ...["bubblewrap", "socat", "uidmap", "git", "strace", "curl", "procps"],
];

/** Runs each line that comes, base64 of a script, as root, and says how it ended: the code, and base64 of what it wrote. */
const COMMANDS = `#!/bin/bash
exec 0<>/dev/ttyS1 1>&0
stty raw -echo
echo ready
while read -r line; do
  output=$(bash -c "$(base64 -d <<< "$line")" < /dev/null 2>&1 | base64 -w0; exit "\${PIPESTATUS[0]}")
  echo "$? $output"
done
`;

const COMMANDS_UNIT = `[Unit]
Description=Runs the commands of the tests
[Service]
ExecStart=/usr/local/sbin/commands
[Install]
WantedBy=multi-user.target
`;

export interface MachineImage {
  kernel: string;
  initrd: string;
  /** A file system that nobody may write to: each machine writes to a copy of its own. */
  disk: string;
}

/** Debian on a disk, made from packages once and kept beside the installed dependencies. */
export function machineImage(): MachineImage {
  const recipe = createHash("sha256").update(JSON.stringify([PACKAGES, COMMANDS, COMMANDS_UNIT]));
  const kept = join("node_modules", ".cache", `millrace-machine-${recipe.digest("hex").slice(0, 16)}`);
  if (!existsSync(kept)) makeImage(kept);
  return { kernel: join(kept, "vmlinuz"), initrd: join(kept, "initrd.img"), disk: join(kept, "disk.ext4") };
}

function makeImage(kept: string): void {
  process.stderr.write("• Making Debian on a disk, which takes two minutes ...\n");
  const root = join(temporaryFolder("millrace-machine"), "root");
  const made = `${kept}.${process.pid}`;
  const without = ["doc", "man", "locale"].map((name) => `--dpkgopt=path-exclude=/usr/share/${name}/*`);
  run("mmdebstrap", "--variant=minbase", ...without, `--include=${PACKAGES.join(",")}`, "bookworm", root);
  writeFileSync(join(root, "usr/local/sbin/commands"), COMMANDS, { mode: 0o755 });
  writeFileSync(join(root, "etc/systemd/system/commands.service"), COMMANDS_UNIT);
  run("chroot", root, "systemctl", "enable", "commands.service");
  mkdirSync(made, { recursive: true });
  for (const name of ["vmlinuz", "initrd.img"]) {
    const file = readdirSync(join(root, "boot")).find((entry) => entry.startsWith(`${name}-`));
    run("cp", join(root, "boot", file ?? name), join(made, name));
  }
  run("mkfs.ext4", "-q", "-d", root, join(made, "disk.ext4"), "2G");
  rmSync(root, { recursive: true });
  // Two that make it at once: the second finds it.
  if (existsSync(kept)) rmSync(made, { recursive: true });
  else renameSync(made, kept);
}

function run(command: string, ...args: string[]): void {
  const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` };
  execFileSync(command, args, { stdio: ["ignore", "ignore", "inherit"], env });
}
