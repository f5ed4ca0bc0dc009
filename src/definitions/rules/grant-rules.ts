import { distance } from "fastest-levenshtein";
import type { Problem } from "../problem.ts";
import { namesOf, problemAt, type TreeRule, type WrittenFile, type WrittenTree } from "../tree.ts";
import type { WrittenGrant } from "../written.ts";
import { isForeman } from "./agent-rules.ts";

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
