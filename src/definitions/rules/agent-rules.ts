import { distance } from "fastest-levenshtein";
import type { Execution } from "../definition.ts";
import { DEFAULT_HARNESS, inherit, NOTHING_SET } from "../inherit.ts";
import { type Problem, treeProblem } from "../problem.ts";
import { namesOf, problemAt, type TreeRule, type WrittenFile, type WrittenTree } from "../tree.ts";
import type { WrittenAgent, WrittenAutomation, WrittenExecution, WrittenGrant } from "../written.ts";

const FOREMAN_TYPES: ReadonlySet<string | undefined> = new Set(["FOREMAN", "MAIN"]);

export const isForeman = (agent: WrittenFile<WrittenAgent>) => FOREMAN_TYPES.has(agent.data.agentType);

const SMALLEST: ReadonlySet<string> = new Set(["webhook", "automation"]);
/** What may lie beside them, and is nothing without them. */
const BESIDE_SMALLEST: ReadonlySet<string> = new Set(["skill", "filter_test"]);

/** A factory without a factory.yaml may hold webhooks and automations only (the spec's smallest shape). */
export const factoryFileIsPresentWhereItIsNeeded: TreeRule = (tree) => {
  if (tree.present.some((file) => file.kind === "factory")) return [];
  const needing = tree.present.filter(({ kind }) => !SMALLEST.has(kind) && !BESIDE_SMALLEST.has(kind));
  const holdsSome = tree.mayBeEmpty || tree.present.some(({ kind }) => SMALLEST.has(kind));
  if (needing.length === 0 && holdsSome) return [];
  const why =
    needing[0] === undefined
      ? "no definition found: expected a factory.yaml, or webhooks/ and automations/; run `millrace init` to create a starting point"
      : `factory.yaml is missing: a definition that contains ${needing[0].path} requires one`;
  return [treeProblem("FF_MISSING_FACTORY", why)];
};

/** Without a factory.yaml there are no agents that an automation could name. */
export const automationsWithoutFactoryNameNoAgent: TreeRule = (tree) => {
  if (tree.present.some((file) => file.kind === "factory" || file.kind === "agent")) return [];
  return tree.automations
    .filter((automation) => automation.data.agent !== undefined)
    .map((automation) => {
      const message = `there is no agent "${automation.data.agent}": without factory.yaml, all runs use the default agent`;
      return problemAt(automation, ["agent"], "FF_INVALID_REFERENCE", message);
    });
};

export const exactlyOneAgentIsForeman: TreeRule = (tree) => {
  if (!tree.present.some((file) => file.kind === "factory")) return [];
  const foremen = tree.agents.filter(isForeman);
  const broken = tree.present.filter((file) => file.kind === "agent").length - tree.agents.length;
  if (foremen.length === 0 && broken === 0) {
    const message =
      tree.agents.length === 0
        ? "the factory has no agent: expected agents/<name>/agent.md with agentType: FOREMAN"
        : "no agent is the foreman: set agentType: FOREMAN in exactly one agent.md";
    return [treeProblem("FF_MISSING_REQUIRED", message)];
  }
  return foremen.slice(1).map((agent) => {
    const message = `"${foremen[0]?.name}" is already the foreman: exactly one agent can be the foreman`;
    return problemAt(agent, ["agentType"], "FF_INVALID_VALUE", message);
  });
};

/** `oz` stands for the server's own harness, which has neither a credential nor a reasoning level of its own. */
export const ozTakesNeitherAuthNorReasoningLevel: TreeRule = (tree) =>
  executions(tree).flatMap(({ written, at, execution, resolved }) => {
    const type = execution.harness?.type ?? resolved?.harness.type;
    if (type !== DEFAULT_HARNESS) return [];
    const inherited = execution.harness?.type === undefined ? ", which is inherited here," : "";
    return (["auth", "reasoningLevel"] as const)
      .filter((key) => execution.harness?.[key])
      .map((key) => {
        const message = `the harness oz${inherited} does not support ${key}: remove it, or set another type`;
        return problemAt(written, [...at, "harness", key], "FF_INVALID_VALUE", message);
      });
  });

/** The credential of a worker's environment needs a worker: a self-hosted one, named here or inherited. */
export const workerEnvironmentNeedsWorkerHost: TreeRule = (tree) =>
  executions(tree).flatMap(({ written, at, execution, resolved }) => {
    if (resolved?.harness.auth?.source !== "workerEnvironment" || resolved.workerHost) return [];
    if (execution.harness?.auth) {
      const message =
        "auth.source workerEnvironment requires a workerHost, set here or inherited: the worker whose environment has the key, or local for this server";
      return [problemAt(written, [...at, "harness", "auth", "source"], "FF_INVALID_VALUE", message)];
    }
    if (execution.workerHost === undefined) return [];
    const message =
      "the inherited auth.source workerEnvironment requires a workerHost, which is cleared here";
    return [problemAt(written, [...at, "workerHost"], "FF_INVALID_VALUE", message)];
  });

interface ExecutionPlace {
  written: WrittenFile<unknown>;
  at: string[];
  /** What stands there. */
  execution: WrittenExecution;
  /** What it comes to with what it inherits; nothing when a file that it inherits from is broken or missing. */
  resolved: Execution | undefined;
}

/** Every place of a tree where the way a run executes can be written. */
export function executions(tree: WrittenTree): ExecutionPlace[] {
  const places = placesOf.get(tree) ?? findExecutions(tree);
  placesOf.set(tree, places);
  return places;
}

/** Several rules ask for them, of a tree that never changes. */
const placesOf = new WeakMap<WrittenTree, ExecutionPlace[]>();

function findExecutions(tree: WrittenTree): ExecutionPlace[] {
  const { factory, present } = tree;
  const broken = !factory && present.some((file) => file.kind === "factory");
  const defaults = broken ? undefined : inherit(NOTHING_SET, factory?.data.agentDefaults ?? {});
  const over = (base: Execution | undefined, own: WrittenExecution) => base && inherit(base, own);

  const agents = tree.agents.map((written): ExecutionPlace => {
    return { written, at: [], execution: written.data, resolved: over(defaults, written.data) };
  });
  const hasAgents = present.some((file) => file.kind === "agent");
  const foreman = tree.agents.find(isForeman)?.name;
  const resolvedAgents = new Map(agents.map(({ written, resolved }) => [written.name, resolved]));
  const agentOf = ({ data }: WrittenFile<WrittenAutomation>) => {
    const name = data.agent ?? foreman;
    if (name === undefined) return hasAgents ? undefined : defaults;
    return resolvedAgents.get(name);
  };
  const automations = tree.automations.map((written): ExecutionPlace => {
    return { written, at: [], execution: written.data, resolved: over(agentOf(written), written.data) };
  });
  if (!factory) return [...agents, ...automations];
  const ofFactory = { written: factory, at: ["agentDefaults"], execution: factory.data.agentDefaults };
  return [{ ...ofFactory, resolved: defaults }, ...agents, ...automations];
}

/** linear and jira together are understood but not applied. */
export const linearAndJiraAreNotTogether: TreeRule = (tree) => {
  const types = tree.factory?.data.integrations?.map((integration) => integration.type) ?? [];
  const later = Math.max(types.indexOf("linear"), types.indexOf("jira"));
  if (!tree.factory || !types.includes("linear") || !types.includes("jira")) return [];
  const message =
    "linear and jira cannot be integrated together: this definition will be refused when it is applied";
  return [problemAt(tree.factory, ["integrations", later], "FF_INVALID_VALUE", message, "warning")];
};

type Granting = WrittenFile<{ millrace?: WrittenGrant }>;

/** `implementor` is meant for `implementer`; anything farther is a name of its own. */
const FARTHEST = 3;

/** A name that names nothing would be a grant that is not there when it is needed. */
export const grantsNameDeclaredAgents: TreeRule = (tree) => {
  const agents = namesOf(tree, "agent");
  return granting(tree).flatMap((written) =>
    (written.data.millrace?.mayStart ?? []).flatMap((name, index): Problem[] => {
      if (agents.has(name)) return [];
      const meant = closest(name, agents);
      const hint =
        meant === undefined ? "expected a folder with that name in agents/" : `did you mean "${meant}"?`;
      const at = ["millrace", "mayStart", index];
      return [problemAt(written, at, "FF_INVALID_REFERENCE", `there is no agent "${name}": ${hint}`)];
    }),
  );
};

/** Only the foreman may start agents without a list: a bound on nothing is a grant that was forgotten. */
export const grantsSayWhoMayBeStarted: TreeRule = (tree) => {
  const foreman = tree.agents.find(isForeman)?.name;
  const isOfForeman = new Map<Granting, boolean>([
    ...tree.agents.map((agent) => [agent, agent.name === foreman] as const),
    ...tree.automations.map((each) => [each, (each.data.agent ?? foreman) === foreman] as const),
  ]);
  return granting(tree).flatMap((written): Problem[] => {
    const { mayStart, children, depth } = written.data.millrace ?? {};
    const key = children === undefined ? (depth === undefined ? undefined : "depth") : "children";
    if (key === undefined || (mayStart?.length ?? 0) > 0) return [];
    // Nobody knows what is missing of a foreman whose file is broken.
    if (mayStart === undefined && (foreman === undefined || isOfForeman.get(written))) return [];
    const why = mayStart ? "mayStart is empty" : "without mayStart, only the foreman may start agents";
    const message = `${key} has no effect: ${why}. Add the agents that may be started to mayStart, or remove ${key}`;
    return [problemAt(written, ["millrace", key], "FF_INVALID_VALUE", message)];
  });
};

function granting(tree: WrittenTree): Granting[] {
  return [...tree.agents, ...tree.automations];
}

function closest(name: string, agents: ReadonlySet<string>): string | undefined {
  const near = [...agents].map((agent) => ({ agent, far: distance(agent, name) }));
  return near.filter(({ far }) => far <= FARTHEST).sort((a, b) => a.far - b.far)[0]?.agent;
}
