import type { DataPath } from "../loading/parse.ts";
import { problemAt, type TreeRule, type WrittenFile } from "../tree.ts";
import { executions } from "./agent-rules.ts";

/** The name under which every run has the server's own tools. */
const OWN_SERVER = "millrace";

/** No MCP server of a definition takes the name of the server's own: agents would find one of the two. */
export const ownServerIsNotReplaced: TreeRule = (tree) => {
  const { factory } = tree;
  const places: [written: WrittenFile<unknown>, at: DataPath, servers: unknown][] = [
    ...(factory
      ? [[factory, ["mcpServers"], factory.data.mcpServers] as [typeof factory, string[], unknown]]
      : []),
    ...executions(tree).map(({ written, at, execution }): [WrittenFile<unknown>, DataPath, unknown] => {
      return [written, [...at, "mcpServers"], execution.mcpServers];
    }),
  ];
  return places
    .filter(([, , servers]) => isNamed(servers))
    .map(([written, at]) => problemAt(written, [...at, OWN_SERVER], "FF_INVALID_MCP", MESSAGE));
};

const MESSAGE = `the name ${OWN_SERVER} stands for the server's own tools, which every run has; use another name`;

function isNamed(servers: unknown): boolean {
  return typeof servers === "object" && servers !== null && Object.hasOwn(servers, OWN_SERVER);
}
