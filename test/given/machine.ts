import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { createConnection, type Socket } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { onFinished } from "./cleanup.ts";
import { type Files, temporaryFolder, writeFiles } from "./folder.ts";
import { machineImage } from "./machine-image.ts";

export interface Machine {
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
export async function bootMachine(files: Files, copied: Record<string, string> = {}): Promise<Machine> {
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
