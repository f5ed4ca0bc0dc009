import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createConnection, type Socket } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { onFinished } from "./cleanup.ts";
import { type Files, temporaryFolder, writeFiles } from "./folder.ts";

interface Machine {
  /** What a script writes when root runs it there. @throws Error that has what it wrote when it does not end with 0 */
  run(script: string): Promise<string>;
}

/** A processor of the machine: the real one boots in seconds, and an emulated one takes ten times as long. */
const PROCESSORS = [
  { accelerator: "kvm", model: "max,arch-capabilities=off", bootsWithinMs: 40_000 },
  { accelerator: "tcg", model: "max", bootsWithinMs: 300_000 },
];

/** How long one script may take. */
const PATIENCE_MS = 240_000;

/**
 * Boots Debian in a virtual machine without a network.
 * @param files what lies below /given there, by path
 * @param copied what lies there too: files and folders of this machine, by the names that they get
 */
async function bootMachine(files: Files, copied: Record<string, string> = {}): Promise<Machine> {
  const given = diskWith(temporaryFolder("millrace-machine"), files, copied);
  const usable = PROCESSORS.filter(({ accelerator }) => accelerator !== "kvm" || existsSync("/dev/kvm"));
  const failures: string[] = [];
  for (const processor of usable) {
    const machine = await boot(processor, given).catch((error: Error) => {
      failures.push(`${processor.accelerator}: ${error.message}`);
    });
    if (!machine) continue;
    await machine.run("mkdir -p /given && mount -o ro /dev/vdb /given");
    return machine;
  }
  throw new Error(`No virtual machine can be started here.\n${failures.join("\n")}`);
}

async function boot(
  { accelerator, model, bootsWithinMs }: (typeof PROCESSORS)[number],
  given: string,
): Promise<Machine> {
  const folder = temporaryFolder("millrace-machine");
  const { kernel, initrd, disk } = machineImage();
  const socketPath = join(folder, "commands");
  const consoleLog = join(folder, "console.log");
  const drive = (file: string) => ["-drive", `file=${file},format=raw,if=virtio,snapshot=on`];
  const child = spawn(
    "qemu-system-x86_64",
    [
      ...["-accel", accelerator, "-cpu", model, "-smp", "2", "-m", "2048"],
      ...["-nodefaults", "-no-reboot", "-display", "none", "-nic", "none"],
      ...["-kernel", kernel, "-initrd", initrd, "-append", "root=/dev/vda rw console=ttyS0 panic=1"],
      ...drive(disk),
      ...drive(given),
      ...["-serial", `file:${consoleLog}`, "-serial", `unix:${socketPath},server=on,wait=off`],
    ],
    { stdio: ["ignore", "ignore", "pipe"], env: { ...process.env, TMPDIR: folder } },
  );
  let errors = "";
  child.stderr.on("data", (text) => {
    errors += text;
  });
  let hasEnded = false;
  const ended = new Promise<void>((resolve) => {
    child.on("error", (error) => {
      errors += `${error.message}: \`npm run test:machine\` installs it`;
      hasEnded = true;
      resolve();
    });
    child.on("close", () => {
      hasEnded = true;
      resolve();
    });
  });
  const end = async () => {
    child.kill("SIGKILL");
    await ended;
  };
  onFinished(end);

  const socket = await connected(socketPath, () => hasEnded);
  const lines = socket && createInterface({ input: socket })[Symbol.asyncIterator]();
  const nextLine = (withinMs: number) =>
    Promise.race([
      lines?.next().then(({ value }) => value as string | undefined),
      sleep(withinMs, undefined, { ref: false }),
    ]);
  if (!socket || (await nextLine(bootsWithinMs)) !== "ready") {
    await end();
    throw new Error(`${errors}\nIts console ends with:\n${tail(consoleLog)}`);
  }
  return {
    async run(script) {
      socket.write(`${Buffer.from(script).toString("base64")}\n`);
      const [code, output = ""] = ((await nextLine(PATIENCE_MS)) ?? "none").split(" ");
      const text = Buffer.from(output, "base64").toString();
      if (code !== "0") throw new Error(`The script ended with ${code}:\n${script}\n\nIt wrote:\n${text}`);
      return text;
    },
  };
}

/** A file system with these files, which is as large as they are and a little more. */
function diskWith(folder: string, files: Files, copied: Record<string, string>): string {
  const content = join(folder, "given");
  mkdirSync(content);
  writeFiles(content, files);
  for (const [name, from] of Object.entries(copied)) execFileSync("cp", ["-r", from, join(content, name)]);
  execFileSync("chmod", ["-R", "a+rX", content]);
  const megabytes = Number.parseInt(execFileSync("du", ["-sm", content], { encoding: "utf8" }), 10) + 64;
  const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` };
  const disk = join(folder, "given.ext4");
  execFileSync("mkfs.ext4", ["-q", "-d", content, disk, `${megabytes}M`], { env });
  return disk;
}

async function connected(path: string, hasEnded: () => boolean): Promise<Socket | undefined> {
  while (!hasEnded()) {
    const socket = createConnection(path);
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.once("connect", () => resolve(true));
      socket.once("error", () => resolve(false));
    });
    if (isOpen) {
      onFinished(() => socket.destroy());
      return socket;
    }
    await sleep(50);
  }
  return undefined;
}

function tail(file: string): string {
  return existsSync(file) ? readFileSync(file, "utf8").slice(-2_000) : "(nothing)";
}

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
function machineImage(): MachineImage {
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

const KEY = "the-admin-key-of-this-machine-1";

/** The steps of docs/deploying.md, as an operator types them. */
const INSTALL = `
  useradd --system --add-subids-for-system --home-dir /var/lib/millrace millrace
  install -m 755 /given/millrace /usr/local/bin/millrace
  install -D -m 644 /given/millrace.yaml /etc/millrace/millrace.yaml
  install -m 600 /given/environment /etc/millrace/environment
  install -m 644 /given/systemd/millrace.* /etc/systemd/system/
  systemctl daemon-reload && systemctl enable --now millrace.socket millrace.service`;

export interface InstalledMachine extends Machine {
  /** A command of millrace, with the admin key. */
  millrace(command: string): Promise<string>;
  /** Waits until the server is ready. */
  ready(): Promise<unknown>;
}

/**
 * Boots a machine, and installs the shipped unit there with an agent and a factory.
 * @param agent a bash script
 * @param factory the files of its definition; without any, millrace keeps the factory
 */
export async function installedMachine(agent: string, factory: Files = {}): Promise<InstalledMachine> {
  const hasFactory = Object.keys(factory).length > 0;
  const ofFactory = Object.entries(factory).map(([path, text]) => [`factory/${path}`, text] as const);
  const machine = await bootMachine(
    {
      "millrace.yaml": hasFactory ? "factories: [{ source: /srv/factory }]\n" : "factories: []\n",
      environment: [
        `MILLRACE_ADMIN_KEY=${KEY}`,
        'MILLRACE_AGENT_COMMAND="/bin/bash /srv/agent/agent.sh"',
        "MILLRACE_DRAIN_TIMEOUT=1s",
        "",
      ].join("\n"),
      "agent.sh": agent,
      ...Object.fromEntries(ofFactory),
    },
    { millrace: "dist/millrace", systemd: "deploy/systemd" },
  );
  await machine.run("install -D -m 644 /given/agent.sh /srv/agent/agent.sh");
  if (hasFactory) await machine.run("cp -r /given/factory /srv/factory");
  await machine.run(INSTALL);
  const ready = () =>
    machine.run(
      "for n in $(seq 300); do curl -fs http://127.0.0.1:8787/readyz && exit; sleep 0.2; done; exit 1",
    );
  await ready();
  const millrace = (command: string) => machine.run(`MILLRACE_API_KEY=${KEY} millrace ${command}`);
  // An emulated processor can take longer than a server gives a definition, until it has translated the code that reads it.
  const sync = `export MILLRACE_API_KEY=${KEY}; for n in $(seq 30); do millrace sync && exit; done; exit 1`;
  if (hasFactory) await machine.run(sync);
  return { ...machine, ready, millrace };
}

/** Waits until a process with this command line is there. @returns its number */
export const waitForProcess = async ({ run }: Machine, pattern: string) =>
  (await run(`for n in $(seq 200); do pgrep -o -f '${pattern}' && exit; sleep 0.1; done; exit 1`)).trim();
