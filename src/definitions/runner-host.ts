import type { Platform, Runner } from "./definition.ts";
import type { Loaded } from "./loading/loaded.ts";
import type { DataPath } from "./loading/parse.ts";
import type { Problem } from "./problem.ts";
import { levels } from "./rules/reference-rules.ts";
import { isThisServer } from "./worker-host.ts";

/** Where runs execute: the machine of the server, and what keeps runs apart on it. */
export interface RunnerHost {
  /** For example `container`. */
  sandbox: string;
  /** Whether runs are held to the size that their runner asks for; left out where nobody knows the machine. */
  limitsSize?: boolean;
  /** Left out where nobody knows the machine. */
  os?: string;
  arch?: string;
}

/** This machine, in the words of the definition format. */
export function hostWith({ mode: sandbox, limitsSize }: { mode: string; limitsSize: boolean }): RunnerHost {
  const { platform, arch } = process;
  return {
    sandbox,
    limitsSize,
    os: platform === "darwin" ? "macos" : platform,
    arch: arch === "x64" ? "x86_64" : arch === "arm64" ? "aarch64" : arch,
  };
}

/** Why a runner's platform means nothing here; nothing for one that this machine is. */
export function strangePlatform(
  { os, arch }: Platform,
  host: Pick<RunnerHost, "os" | "arch">,
): string | undefined {
  if (host.os === undefined || host.arch === undefined) return undefined;
  const wanted =
    os !== undefined && os !== host.os ? os : arch !== undefined && arch !== host.arch ? arch : undefined;
  if (wanted === undefined) return undefined;
  return `a runner on ${shown(wanted)} is ignored, because runs execute on this server, which is ${shown(host.os)} on ${shown(host.arch)}`;
}

/** What the runners of a definition ask for and this server does not give, where it is written first: one setting mends it for all. */
export function runnersFitTheHost(loaded: Loaded, host: RunnerHost): Problem[] {
  const { definition, locate } = loaded;
  const used = levels(loaded).map(({ of }) => of.execution);
  /** Workers are chosen by what the runner asks for. */
  const isOfWorkers = ({ name }: Runner) => {
    const users = used.filter(({ runner }) => runner === name);
    return users.length > 0 && users.every(({ workerHost }) => !isThisServer(workerHost));
  };
  const ofServer = (definition?.runners ?? []).filter((runner) => !isOfWorkers(runner));
  const found = new Map<string, { runner: Runner; at: DataPath }[]>();
  for (const runner of ofServer)
    for (const { at, message } of ignoredOf(runner, host))
      found.set(message, [...(found.get(message) ?? []), { runner, at }]);
  return [...found].flatMap(([message, [first, ...others]]): Problem[] => {
    if (!first) return [];
    const { path } = first.runner;
    const same = others.map(({ runner }) => runner.path).join(", ");
    return [
      {
        code: "FF_RUNNER_IGNORED",
        message: same === "" ? message : `${message}. The same applies to ${same}`,
        path,
        ...locate(path, first.at),
        severity: "warning",
      },
    ];
  });
}

interface Ignored {
  at: DataPath;
  message: string;
}

function ignoredOf({ platform, dockerImage, instanceShape }: Runner, host: RunnerHost): Ignored[] {
  const strange = platform && strangePlatform(platform, host);
  const key = platform?.os !== undefined && platform.os !== host.os ? "os" : "arch";
  const inContainers = "set MILLRACE_SANDBOX=container to run agents in containers with that image and size";
  const cgroup = "the service may divide its cgroup (docs/isolation.md)";
  const size =
    host.limitsSize === undefined
      ? `instanceShape: is ignored by a server whose sandbox is ${host.sandbox}, unless ${cgroup}; or ${inContainers}`
      : `instanceShape: is ignored by this server, whose sandbox is ${host.sandbox}; see that ${cgroup}, or ${inContainers}`;
  const image = `dockerImage: is ignored by this server, whose sandbox is ${host.sandbox}; ${inContainers}`;
  const isContained = host.sandbox === "container";
  return [
    ...(strange === undefined ? [] : [{ at: ["platform", key], message: strange }]),
    ...(dockerImage === undefined || isContained
      ? []
      : [{ at: ["platform", "linux", "dockerImage"], message: image }]),
    ...(instanceShape === undefined || isContained || host.limitsSize
      ? []
      : [{ at: ["instanceShape"], message: size }]),
  ];
}

const NAMES: Readonly<Record<string, string>> = {
  macos: "macOS",
  linux: "Linux",
  x86_64: "x86-64",
  aarch64: "arm64",
};
const shown = (name: string) => NAMES[name] ?? name;
