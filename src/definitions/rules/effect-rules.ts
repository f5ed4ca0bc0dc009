import type { DataPath, ParsedFile } from "../loading/parse.ts";
import type { Problem } from "../problem.ts";
import type { TreeRule, WrittenFile, WrittenTree } from "../tree.ts";
import { executions } from "./agent-rules.ts";

/** Something that a definition can say and that changes nothing on this server yet. */
interface WithoutEffect {
  what: string;
  /** What happens instead, when that is worth a word. */
  instead?: string;
  places(tree: WrittenTree): Place[];
}

type Place = [written: { path: string; file: Pick<ParsedFile, "at"> }, at: DataPath];

const WITHOUT_EFFECT: readonly WithoutEffect[] = [
  { what: "scorers", places: (tree) => wholeFiles(tree.scorers) },
  { what: "benchmarks", places: (tree) => wholeFiles(tree.suites) },
  {
    what: "alias",
    instead: "it must still be unique on the server",
    places: (tree) => factoryKey(tree, "alias"),
  },
  {
    what: "cloudProviders",
    places: (tree) => [...factoryKey(tree, "cloudProviders"), ...factoryKey(tree, "providers")],
  },
  { what: "integrations", places: (tree) => factoryKey(tree, "integrations") },
  { what: "codeForges", places: (tree) => factoryKey(tree, "codeForges") },
  { what: "credentialStrategy", places: credentialStrategies },
  {
    what: "mcpServers",
    instead: "a warpId is not supported, and such a server is omitted from mcp.json",
    places: (tree) => [...factoryKey(tree, "mcpServers"), ...executionKey(tree, "mcpServers")],
  },
  {
    what: "model, without its own harness",
    instead: "it is passed to the server's default harness",
    places: (tree) => [
      ...executionKey(tree, "model"),
      ...harnessPlaces(tree, (harness) => harness.type === "oz", "type"),
    ],
  },
];

/** One notice for each thing without effect, at its first place, with the number of places. */
export const whatHasNoEffectSaysSo: TreeRule = (tree) =>
  WITHOUT_EFFECT.flatMap(({ what, instead, places }): Problem[] => {
    const found = places(tree);
    const [first] = found;
    if (!first) return [];
    const count = found.length > 1 ? ` (${found.length} places)` : "";
    const message = `${what}: has no effect on this server yet${instead ? `; ${instead}` : ""}${count}`;
    const [{ path, file }, at] = first;
    return [{ code: "FF_NO_EFFECT", message, path, ...file.at(at), severity: "notice" }];
  });

/** The smallest shape is served, and says what it goes without. */
export const smallestShapeSaysSo: TreeRule = (tree) => {
  const [first] = [...tree.webhooks, ...tree.automations];
  if (tree.present.some((file) => file.kind === "factory") || !first) return [];
  // What millrace keeps was given its name when it was made.
  const named = tree.mayBeEmpty ? "" : "the factory is named after its source, and ";
  const message = `there is no factory.yaml: ${named}runs use a default agent without secrets`;
  return [
    { code: "FF_MISSING_FACTORY", message, path: "factory.yaml", line: 1, column: 1, severity: "notice" },
  ];
};

function wholeFiles(files: readonly WrittenFile<unknown>[]): Place[] {
  return files.map((written) => [written, []]);
}

function factoryKey(tree: WrittenTree, key: keyof NonNullable<WrittenTree["factory"]>["data"]): Place[] {
  return tree.factory?.data[key] === undefined ? [] : [[tree.factory, [key]]];
}

function credentialStrategies(tree: WrittenTree): Place[] {
  const agents = tree.agents.filter((agent) => agent.data.credentialStrategy !== undefined);
  return [
    ...factoryKey(tree, "credentialStrategy"),
    ...agents.map((a): Place => [a, ["credentialStrategy"]]),
  ];
}

function executionKey(tree: WrittenTree, key: "model" | "mcpServers"): Place[] {
  return executions(tree)
    .filter(({ execution }) => execution[key] != null)
    .map(({ written, at }) => [written, [...at, key]]);
}

type WrittenHarness = NonNullable<ReturnType<typeof executions>[number]["execution"]["harness"]>;

function harnessPlaces(tree: WrittenTree, fits: (harness: WrittenHarness) => boolean, key: string): Place[] {
  return executions(tree)
    .filter(({ execution }) => execution.harness && fits(execution.harness))
    .map(({ written, at }) => [written, [...at, "harness", key]]);
}
