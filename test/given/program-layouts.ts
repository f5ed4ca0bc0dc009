import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { folderWith } from "./folder.ts";

/** A program as npm installs it, with the packages that it needs. */
export interface InstalledProgram {
  /** The `node_modules` folder that holds the package and its dependencies. */
  modules: string;
  /** The name of its package, and its file below that. */
  package: string;
  file: string;
  /** What it is called. */
  name: string;
}

/** A folder that stands for the home of a server's user, and what a server there has on its PATH. */
export interface LaidOut {
  folders: string[];
  /** The Node that serves, where it is one of the same installation. */
  node?: string;
}

type Layout = (home: string, program: InstalledProgram) => LaidOut;

const VERSION = "20.20.2";

/** A program of two packages, which says that all of it was found. */
export function smallProgram(): InstalledProgram {
  const modules = folderWith({
    "@of/tool/package.json": '{"name": "@of/tool"}',
    "@of/tool/bin/tool.js": "#!/usr/bin/env node\nconsole.log(require('./part.js') + require('needed'))",
    "@of/tool/bin/part.js": "module.exports = 'who'",
    "needed/package.json": '{"name": "needed", "main": "index.js"}',
    "needed/index.js": "module.exports = 'le'",
  });
  // Agents may be another user than the one who installed it.
  for (const path of [modules, join(modules, "@of/tool/bin/tool.js")]) chmodSync(path, 0o755);
  return { modules, package: "@of/tool", file: "bin/tool.js", name: "tool" };
}

/** How tools put programs into a home folder; each has the links, scripts and folders of the tool. */
export const LAYOUTS: Record<string, Layout> = {
  nvm(home, program) {
    const prefix = installInto(join(home, ".nvm/versions/node", `v${VERSION}`), program);
    return { folders: [join(prefix, "bin")], node: copyNode(prefix) };
  },
  "fnm, by the folder of a shell"(home, program) {
    const installation = join(home, ".local/share/fnm/node-versions", `v${VERSION}`, "installation");
    copyNode(installInto(installation, program));
    link(join(home, ".local/share/fnm/aliases/default"), installation, "absolute");
    const shell = join(home, "run/fnm_multishells/77_1");
    link(shell, join(home, ".local/share/fnm/aliases/default"), "absolute");
    return { folders: [join(shell, "bin")], node: join(shell, "bin/node") };
  },
  volta(home, program) {
    const tools = join(home, ".volta/tools");
    installInto(join(tools, "image/packages", program.package), program);
    copyNode(join(tools, "image/node", VERSION));
    writeScript(join(home, ".volta/bin/volta-shim"), NO_HOME);
    link(join(home, ".volta/bin", program.name), join(home, ".volta/bin/volta-shim"));
    writeFile(
      join(tools, "user/bins", `${program.name}.json`),
      JSON.stringify({
        name: program.name,
        package: program.package,
        platform: { node: VERSION, npm: null },
      }),
    );
    return { folders: [join(home, ".volta/bin")] };
  },
  asdf(home, program) {
    copyNode(installInto(join(home, ".asdf/installs/nodejs", VERSION), program));
    const lines = [`# asdf-plugin: nodejs ${VERSION}`, `exec asdf exec "${program.name}" "$@"`];
    writeScript(join(home, ".asdf/shims", program.name), lines.join("\n"));
    return { folders: [join(home, ".asdf/shims")] };
  },
  "mise, of Node"(home, program) {
    const data = join(home, ".local/share/mise");
    copyNode(installInto(join(data, "installs/node", VERSION), program));
    link(join(data, "installs/node/20"), join(data, "installs/node", VERSION));
    return miseShim(home, program);
  },
  "mise, of npm"(home, program) {
    const data = join(home, ".local/share/mise");
    copyNode(join(data, "installs/node", VERSION));
    installInto(join(data, "installs", `npm-${program.name}`, "1.2.3"), program);
    return miseShim(home, program);
  },
  "pnpm, global"(home, program) {
    const folder = join(home, ".local/share/pnpm");
    installByPnpm(join(folder, "global/5/node_modules"), join(folder, "global/5/.pnpm"), program);
    writePnpmScript(join(folder, program.name), "global/5/node_modules", program);
    return { folders: [folder] };
  },
  "pnpm, of a project"(home, program) {
    const modules = join(home, "project/node_modules");
    installByPnpm(modules, join(modules, ".pnpm"), program);
    writePnpmScript(join(modules, ".bin", program.name), "..", program);
    return { folders: [join(modules, ".bin")] };
  },
  "pnpm, with one store of links for all"(home, program) {
    const modules = join(home, "project/node_modules");
    installByPnpm(modules, join(home, ".local/share/pnpm/store/v10/links"), program);
    writePnpmScript(join(modules, ".bin", program.name), "..", program);
    return { folders: [join(modules, ".bin")] };
  },
  "pnpm of corepack, beside the Node of nvm"(home, program) {
    const prefix = join(home, ".nvm/versions/node", `v${VERSION}`);
    const node = copyNode(prefix);
    writeFile(join(prefix, "lib/node_modules/corepack/dist/pnpm.js"), "");
    link(join(prefix, "bin/pnpm"), join(prefix, "lib/node_modules/corepack/dist/pnpm.js"));
    const { folders } = LAYOUTS["pnpm, global"]?.(home, program) ?? { folders: [] };
    return { folders: [...folders, join(prefix, "bin")], node };
  },
  "yarn of corepack, global"(home, program) {
    const modules = installModules(join(home, ".config/yarn/global"), program);
    const bin = join(modules, ".bin", program.name);
    link(bin, join(modules, program.package, program.file));
    link(join(home, ".yarn/bin", program.name), bin);
    return { folders: [join(home, ".yarn/bin")] };
  },
  "npm, of a project"(home, program) {
    const modules = installModules(join(home, "project"), program);
    link(join(modules, ".bin", program.name), join(modules, program.package, program.file));
    return { folders: [join(modules, ".bin")] };
  },
  "npm, with a prefix of the user's own"(home, program) {
    return { folders: [join(installInto(join(home, ".npm-global"), program), "bin")] };
  },
  "~/.local as the prefix of npm"(home, program) {
    return { folders: [join(installInto(join(home, ".local"), program), "bin")] };
  },
  "~/.local/bin with a link to a version"(home, program) {
    const modules = installModules(join(home, ".local/share", program.name, "versions/1.2.3"), program);
    link(join(home, ".local/bin", program.name), join(modules, program.package, program.file), "absolute");
    return { folders: [join(home, ".local/bin")] };
  },
  "Homebrew on Linux"(home, program) {
    const brew = join(home, ".linuxbrew");
    const cellar = join(brew, "Cellar", program.name, "1.2.3");
    const own = installInto(join(cellar, "libexec"), program);
    link(join(cellar, "bin", program.name), join(own, "bin", program.name));
    link(join(brew, "bin", program.name), join(cellar, "bin", program.name));
    copyNode(join(brew, "Cellar/node", VERSION));
    link(join(brew, "opt/node"), join(brew, "Cellar/node", VERSION));
    link(join(brew, "bin/node"), join(brew, "Cellar/node", VERSION, "bin/node"));
    return { folders: [join(brew, "bin")] };
  },
  "a snap's links"(home, program) {
    const node = copyNode(installInto(join(home, "snap/node/8123"), program));
    link(join(home, "snap/node/current"), join(home, "snap/node/8123"));
    link(join(home, "snap/bin", program.name), join(home, "snap/node/current/bin", program.name), "absolute");
    return { folders: [join(home, "snap/bin"), join(home, "snap/node/current/bin")], node };
  },
};

/** What a shim does in a home without its manager's settings. */
const NO_HOME = "echo 'no settings in this home' >&2; exit 126";

function miseShim(home: string, { name }: InstalledProgram): LaidOut {
  writeScript(join(home, ".local/bin/mise"), NO_HOME);
  const shims = join(home, ".local/share/mise/shims");
  link(join(shims, name), join(home, ".local/bin/mise"), "absolute");
  return { folders: [shims] };
}

/** As `npm install --global` with a prefix. @returns the prefix */
function installInto(prefix: string, program: InstalledProgram): string {
  const modules = installModules(join(prefix, "lib"), program);
  link(join(prefix, "bin", program.name), join(modules, program.package, program.file));
  return prefix;
}

function installModules(folder: string, { modules }: InstalledProgram): string {
  const target = join(folder, "node_modules");
  mkdirSync(folder, { recursive: true });
  copy(modules, target);
  // Each layout has links of its own to the programs.
  rmSync(join(target, ".bin"), { recursive: true, force: true });
  return target;
}

/** Each package in a folder of its own in the store, with its dependencies as links to their neighbours. */
function installByPnpm(modules: string, store: string, program: InstalledProgram): void {
  const packages = packagesIn(program.modules);
  const placeOf = (name: string) => join(store, `${name.replace("/", "+")}@1.2.3`, "node_modules");
  for (const name of packages) {
    mkdirSync(dirname(join(placeOf(name), name)), { recursive: true });
    copy(join(program.modules, name), join(placeOf(name), name));
    for (const other of packages.filter((other) => other !== name))
      link(join(placeOf(name), other), join(placeOf(other), other));
  }
  link(join(modules, program.package), join(placeOf(program.package), program.package));
}

function packagesIn(modules: string): string[] {
  return readdirSync(modules)
    .filter((name) => !name.startsWith("."))
    .flatMap((name) =>
      name.startsWith("@") ? readdirSync(join(modules, name)).map((own) => `${name}/${own}`) : [name],
    );
}

/** What pnpm writes for a program of JavaScript, or for another one. */
function writePnpmScript(path: string, modules: string, program: InstalledProgram): void {
  const target = `"$basedir/${join(modules, program.package, program.file)}" "$@"`;
  const basedir = `basedir=$(dirname "$(echo "$0" | sed -e 's,\\\\,/,g')")`;
  const isScript =
    readFileSync(join(program.modules, program.package, program.file))
      .subarray(0, 2)
      .toString() === "#!";
  const byNode = [
    `if [ -x "$basedir/node" ]; then`,
    `exec "$basedir/node" ${target}`,
    "else",
    `exec node ${target}`,
    "fi",
  ];
  writeScript(path, [basedir, ...(isScript ? byNode : [`exec ${target}`])].join("\n"));
}

/** Puts the Node of this test into a prefix. @returns its path */
function copyNode(prefix: string): string {
  const node = join(prefix, "bin/node");
  mkdirSync(dirname(node), { recursive: true });
  mkdirSync(join(prefix, "lib"), { recursive: true });
  copy(process.execPath, node);
  return node;
}

/** Hard links where that is possible: the programs are large. */
function copy(from: string, to: string): void {
  const linked = spawnSync("cp", ["--archive", "--link", from, to]);
  if (linked.status !== 0) spawnSync("cp", ["--archive", "--force", from, to]);
  if (!existsSync(to)) throw new Error(`${from} could not be copied to ${to}: ${linked.stderr}`);
}

function link(path: string, to: string, kind: "relative" | "absolute" = "relative"): void {
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(kind === "absolute" ? to : relative(dirname(path), to), path);
}

function writeScript(path: string, text: string): void {
  writeFile(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, 0o755);
}

function writeFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
