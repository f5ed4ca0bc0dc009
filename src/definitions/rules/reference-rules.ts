import type { Agent, Automation } from "../definition.ts";
import type { Loaded } from "../loading/loaded.ts";
import type { DataPath } from "../loading/parse.ts";
import type { Problem, Severity } from "../problem.ts";

/**
 * What a definition names and only a server or its settings can have. Each name that is not there is one warning, where it
 * is written first: what is inherited stands in the file of the agent or in factory.yaml.
 */
export type ReferenceRule = (loaded: Loaded, isThere: (name: string) => boolean) => Problem[];

export const harnessesAreKnown: ReferenceRule = (loaded, isThere) => {
  const named = levels(loaded).map((level): Named => {
    const { type } = level.of.execution.harness;
    const isHarness = (value: unknown) => (value === undefined ? undefined : []);
    return { name: type, written: whereWritten(level, ["harness", "type"], isHarness, loaded) };
  });
  return missing(named, isThere, loaded, (name) => {
    return `this server has no harness "${name}", so its runs fail: add it under harnesses: in millrace.yaml`;
  });
};

/** A server has the runners of the definition and no others. */
export const runnersAreThere = (loaded: Loaded): Problem[] => {
  const runners = new Set(loaded.definition?.runners.map(({ name }) => name));
  const named = levels(loaded).flatMap((level): Named[] => {
    const { runner } = level.of.execution;
    if (runner === undefined) return [];
    return [
      {
        name: runner,
        written: whereWritten(level, ["runner"], (value) => (value === runner ? [] : undefined), loaded),
      },
    ];
  });
  return missing(
    named,
    (name) => runners.has(name),
    loaded,
    (name) => {
      return `there is no runners/${name}.yaml: runs that use this runner fail`;
    },
  );
};

export interface Written {
  path: string;
  at: DataPath;
}

export interface Named {
  name: string;
  written: Written;
}

/** Something that has an execution, and what it inherits from, the nearest first. */
export interface Level {
  of: Agent | Automation;
  from: Agent[];
}

export function levels({ definition }: Loaded): Level[] {
  if (!definition) return [];
  const { agents, automations } = definition;
  return [
    ...agents.map((of): Level => ({ of, from: [] })),
    ...automations.map((of): Level => ({ of, from: agents.filter(({ name }) => name === of.agent) })),
  ];
}

/** @param holds where in the value of the key it stands; nothing when the value says something else */
export function whereWritten(
  { of, from }: Level,
  key: DataPath,
  holds: (value: unknown) => DataPath | undefined,
  { valueAt }: Loaded,
): Written {
  const places: Written[] = [
    ...[of, ...from].map(({ path }) => ({ path, at: key })),
    { path: "factory.yaml", at: ["agentDefaults", ...key] },
  ];
  for (const { path, at } of places) {
    const rest = holds(valueAt(path, at));
    if (rest) return { path, at: [...at, ...rest] };
  }
  return { path: of.path, at: key };
}

export function missing(
  named: readonly Named[],
  isThere: (name: string) => boolean,
  { locate }: Loaded,
  says: (name: string) => string,
  severity: Severity = "warning",
): Problem[] {
  const first = new Map<string, Written>();
  for (const { name, written } of named) if (!isThere(name) && !first.has(name)) first.set(name, written);
  return [...first].map(([name, { path, at }]) => {
    return {
      code: "FF_INVALID_REFERENCE",
      message: says(name),
      path,
      ...locate(path, at),
      severity,
    };
  });
}
