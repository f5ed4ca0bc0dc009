import type { Problem } from "../problem.ts";
import { type FileRule, namesOf, problemAt, type TreeRule, type WrittenTree } from "../tree.ts";
import type { WrittenScorer, WrittenSuite } from "../written.ts";

export const labelsStraddleThePassingScore: FileRule<WrittenScorer> = (scorer) => {
  const { labels, passingScore } = scorer.data;
  const passing = labels.some((label) => label.score >= passingScore);
  const failing = labels.some((label) => label.score < passingScore);
  if (passing && failing) return [];
  const side = passing ? "below" : "at or above";
  const message = `expected a label ${side} the passingScore ${passingScore}, so that both outcomes are possible`;
  return [problemAt(scorer, ["labels"], "FF_INVALID_VALUE", message)];
};

export const labelsAreUnique: FileRule<WrittenScorer> = (scorer) => {
  const values = scorer.data.labels.map((label) => label.value);
  return repeated(values).map((index) =>
    problemAt(scorer, ["labels", index, "value"], "FF_INVALID_VALUE", `duplicate label "${values[index]}"`),
  );
};

export const scorersHaveARubric: FileRule<WrittenScorer> = (scorer) => {
  if (scorer.file.body.trim() !== "") return [];
  const message = "the rubric, which is the body of the file, is empty";
  return [problemAt(scorer, [], "FF_MISSING_REQUIRED", message)];
};

export const scorersNameDeclaredAgents: TreeRule = (tree) => {
  const agents = namesOf(tree, "agent");
  return tree.scorers.flatMap((scorer) =>
    scorer.data.agents.flatMap((agent, index) =>
      agents.has(agent)
        ? []
        : [
            problemAt(
              scorer,
              ["agents", index],
              "FF_INVALID_REFERENCE",
              `there is no agent "${agent}" in the definition`,
            ),
          ],
    ),
  );
};

export const configurationsAreUniqueWithOneBaseline: FileRule<WrittenSuite> = (suite) => {
  const { configurations = [] } = suite.data;
  const names = repeated(configurations.map((configuration) => configuration.name)).map((index) =>
    problemAt(
      suite,
      ["configurations", index, "name"],
      "FF_INVALID_VALUE",
      "two configurations have this name",
    ),
  );
  const baselines = configurations.flatMap(({ role }, index) => (role === "baseline" ? [index] : []));
  const extra = baselines
    .slice(1)
    .map((index) =>
      problemAt(
        suite,
        ["configurations", index, "role"],
        "FF_INVALID_VALUE",
        "at most one configuration is the baseline",
      ),
    );
  return [...names, ...extra];
};

export const suitesNameDeclaredAgents: TreeRule = (tree) => {
  const agents = namesOf(tree, "agent");
  return tree.suites.flatMap((suite) => {
    const named: [string, (string | number)[]][] = [[suite.data.agent, ["agent"]]];
    suite.data.configurations?.forEach((configuration, c) => {
      configuration.agents?.forEach(({ agent }, a) => {
        named.push([agent, ["configurations", c, "agents", a, "agent"]]);
      });
    });
    return named
      .filter(([agent]) => !agents.has(agent))
      .map(([agent, at]) =>
        problemAt(suite, at, "FF_INVALID_REFERENCE", `there is no agent "${agent}" in the definition`),
      );
  });
};

export const suiteNamesAreUnique: TreeRule = (tree) =>
  repeated(tree.suites.map((suite) => suite.data.name)).flatMap((index) => {
    const suite = tree.suites[index];
    return suite ? [problemAt(suite, ["name"], "FF_INVALID_VALUE", "another suite has this name")] : [];
  });

/** `tasks` of a suite and the files below its tasks/ folder name each other, one to one. */
export const suiteTasksMatchTheirFiles: TreeRule = (tree) => {
  const paths = new Set(tree.present.map(({ path }) => path));
  const suites = new Map(tree.suites.map((suite) => [suite.name, new Set(suite.data.tasks)]));
  const unlisted = tree.tasks.flatMap((task): Problem[] => {
    const listed = suites.get(task.suite);
    const isKnown = paths.has(`benchmarks/${task.suite}/suite.yaml`);
    if (listed?.has(task.name) || (isKnown && !listed)) return [];
    const message = listed
      ? `benchmarks/${task.suite}/suite.yaml does not list the task "${task.name}"`
      : `there is no benchmarks/${task.suite}/suite.yaml that could list this task`;
    return [problemAt(task, [], "FF_INVALID_REFERENCE", message)];
  });
  return [...tree.suites.flatMap((suite) => tasksWithoutFile(suite, paths)), ...unlisted];
};

function tasksWithoutFile(suite: WrittenTree["suites"][number], paths: ReadonlySet<string>): Problem[] {
  return (suite.data.tasks ?? []).flatMap((slug, index) => {
    const path = `benchmarks/${suite.name}/tasks/${slug}.yaml`;
    if (paths.has(path)) return [];
    return [problemAt(suite, ["tasks", index], "FF_INVALID_REFERENCE", `there is no ${path}`)];
  });
}

/** The indexes of values that an earlier index holds too. */
function repeated(values: readonly string[]): number[] {
  const seen = new Set<string>();
  return values.flatMap((value, index) => (seen.size === seen.add(value).size ? [index] : []));
}
