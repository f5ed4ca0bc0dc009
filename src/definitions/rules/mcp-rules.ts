import { allowedBy, widerEntries } from "../../network/network-rule.ts";
import type { DataPath } from "../loading/parse.ts";
import { problemAt, type TreeRule, type WrittenFile } from "../tree.ts";
import { executions } from "./agent-rules.ts";
import { chains, ruled } from "./network-rules.ts";

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
    ...ruled(tree).map((written): [WrittenFile<unknown>, DataPath, unknown] => {
      return [written, ["millrace", "mcpServers"], written.data.millrace?.mcpServers];
    }),
  ];
  return places
    .filter(([, , servers]) => isNamed(servers))
    .map(([written, at]) => problemAt(written, [...at, OWN_SERVER], "FF_INVALID_MCP", MESSAGE));
};

/** A server whose URL cannot be read, or that its runs cannot reach, never starts. */
export const mcpServersCanBeReached: TreeRule = (tree) => {
  const problems = chains(tree).flatMap((chain) => {
    const nearest = chain.map(({ data }) => data.millrace?.network).findLast((rule) => rule !== undefined);
    const allowed = nearest && allowedBy(nearest);
    const servers = new Map(
      chain.flatMap((written) =>
        Object.entries(written.data.millrace?.mcpServers ?? {}).map(
          ([name, server]) => [name, { written, ...server }] as const,
        ),
      ),
    );
    return [...servers].flatMap(([name, { written, url }]) => {
      if (url === undefined) return [];
      const at = ["millrace", "mcpServers", name, "url"];
      const host = hostOf(url);
      if (host === undefined)
        return [problemAt(written, at, "FF_INVALID_MCP", `the URL ${JSON.stringify(url)} cannot be read`)];
      if (!allowed || widerEntries([host], allowed).length === 0) return [];
      const message = `the network of ${chain.at(-1)?.path} does not allow ${JSON.stringify(host)}, so its runs cannot reach the MCP server ${name}: add the host to network.allow`;
      return [problemAt(written, at, "FF_INVALID_MCP", message, "warning")];
    });
  });
  return [...new Map(problems.map((problem) => [JSON.stringify(problem), problem])).values()];
};

/** The host with its port, as an entry of a list has it. */
function hostOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { hostname, port, protocol } = new URL(url);
  return `${hostname}:${port || (protocol === "https:" ? 443 : 80)}`;
}

const MESSAGE = `the name ${OWN_SERVER} stands for the server's own tools, which every run has; use another name`;

function isNamed(servers: unknown): boolean {
  return typeof servers === "object" && servers !== null && Object.hasOwn(servers, OWN_SERVER);
}
