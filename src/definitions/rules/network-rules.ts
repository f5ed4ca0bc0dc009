import { type InjectRules, injectedHostProblem } from "../../network/inject-rule.ts";
import {
  allowedBy,
  entryProblems,
  isLocked,
  type NetworkRule,
  widerEntries,
} from "../../network/network-rule.ts";
import { OWN_SERVER, type OwnMcpServers } from "../definition.ts";
import type { DataPath } from "../loading/parse.ts";
import type { Problem } from "../problem.ts";
import { problemAt, type TreeRule, type WrittenFile, type WrittenTree } from "../tree.ts";
import { executions, isForeman } from "./agent-rules.ts";
import type { SettingsRule } from "./server-rule.ts";

type Ruled = WrittenFile<{
  millrace?: { network?: NetworkRule; inject?: InjectRules; mcpServers?: OwnMcpServers };
}>;

/** An entry that cannot be read would allow nothing, which shows only when a run fails. */
export const networkEntriesAreWellFormed: TreeRule = (tree) =>
  ruled(tree).flatMap((written) => {
    const network = written.data.millrace?.network;
    if (typeof network !== "object") return [];
    return entryProblems(network.allow).map(({ index, problem }) =>
      problemAt(written, ["millrace", "network", "allow", index], "FF_INVALID_VALUE", `network: ${problem}`),
    );
  });

/** A host that cannot be read would never get its secret. */
export const injectedHostsAreWellFormed: TreeRule = (tree) =>
  ruled(tree).flatMap((written) =>
    injectedHosts(written).flatMap(({ host, at }) => {
      const problem = injectedHostProblem(host);
      const message = `inject: ${JSON.stringify(host)}: ${problem}`;
      return problem === undefined ? [] : [problemAt(written, at, "FF_INVALID_VALUE", message)];
    }),
  );

/** A secret for a host that its runs cannot reach is never used. */
export const injectedHostsAreAllowed: TreeRule = (tree) =>
  chains(tree).flatMap((chain) => {
    const written = chain.at(-1);
    const nearest = chain.map((file) => file.data.millrace?.network).findLast((rule) => rule !== undefined);
    const allowed = nearest && allowedBy(nearest);
    if (!written || !allowed) return [];
    return injectedHosts(written).flatMap(({ name, host, at }) => {
      const isReached = widerEntries([httpsEntry(host)], allowed).length === 0;
      if (isReached || injectedHostProblem(host) !== undefined) return [];
      const message = `inject: the network of these runs does not allow ${JSON.stringify(host)}, so the secret ${name} is never sent there: add the host to network.allow`;
      return [problemAt(written, at, "FF_INVALID_VALUE", message, "warning")];
    });
  });

/** The hosts that a file has secrets sent to, with their places. */
function injectedHosts({ data }: Ruled) {
  return Object.entries(data.millrace?.inject ?? {}).flatMap(([name, { hosts }]) =>
    hosts.map((host, index) => ({ name, host, at: ["millrace", "inject", name, "hosts", index] })),
  );
}

/** A secret goes to the port of HTTPS, unless its host has another one. */
const httpsEntry = (host: string) => (host.includes(":") ? host : `${host}:443`);

/** What is allowed below a locked list and not by it would never be reached. */
export const networksStayWithinLocked: TreeRule = (tree) => [
  ...new Map(
    chains(tree)
      .flatMap((chain) => chain.flatMap((written, index) => widerThan(chain.slice(0, index), written)))
      .map((problem) => [JSON.stringify(problem), problem]),
  ).values(),
];

/**
 * The problems of a rule below others.
 * @param above from the farthest on; what is not locked is replaced by the nearer one, and limits nothing
 */
function widerThan(above: readonly Ruled[], written: Ruled): Problem[] {
  const own = written.data.millrace?.network;
  if (own === undefined) return [];
  return above.flatMap((farther): Problem[] => {
    const limit = farther.data.millrace?.network;
    if (limit === undefined || !isLocked(limit)) return [];
    return wider(own, limit).map(({ at, what }) =>
      problemAt(
        written,
        ["millrace", "network", ...at],
        "FF_INVALID_VALUE",
        `network: ${what} is not allowed by the locked list of ${farther.path}: remove it, or add it there`,
      ),
    );
  });
}

/** As for a locked list of a file. What is in force already goes on, within the new list. */
export const networksStayWithinServer: SettingsRule = ({ definition, state, problem }) => {
  const { network: limit, isActive } = state;
  if (limit === undefined || !isLocked(limit)) return [];
  const { factory, runners, agents, automations } = definition;
  return [factory, ...runners, ...agents, ...automations].flatMap(({ path, network }) =>
    wider(network ?? limit, limit).map(({ at, what }) => {
      const message = `network: ${what} is not allowed by the locked list of this server (network in millrace.yaml): remove it, or ask an administrator to add it there`;
      const place = ["millrace", "network", ...at];
      return problem(path, place, "FF_INVALID_VALUE", message, isActive ? "warning" : "error");
    }),
  );
};

/** Which parts of a rule allow more than a limit does. */
function wider(own: NetworkRule, limit: NetworkRule): { at: (string | number)[]; what: string }[] {
  const most = allowedBy(limit);
  if (most === undefined) return [];
  if (own === "all") return [{ at: [], what: "all" }];
  if (own === "none") return [];
  const beyond = widerEntries(own.allow, most);
  return own.allow.flatMap((entry, index) =>
    beyond.includes(entry) ? [{ at: ["allow", index], what: JSON.stringify(entry) }] : [],
  );
}

function ruled({ factory, runners, agents, automations }: WrittenTree): Ruled[] {
  return [...(factory ? [factory] : []), ...runners, ...agents, ...automations];
}

/** The files that say what one kind of runs may reach, from the farthest to the nearest. */
function chains(tree: WrittenTree): Ruled[][] {
  const { factory, agents, automations, runners } = tree;
  const farthest: Ruled[] = factory ? [factory] : [];
  const runnerOf = (name: string | null | undefined) => runners.filter((runner) => runner.name === name);
  const ofFactory = factory?.data.agentDefaults.runner;
  const foreman = agents.find(isForeman)?.name;
  const ofAgents = agents.map((agent) => [...farthest, ...runnerOf(agent.data.runner ?? ofFactory), agent]);
  const ofAutomations = automations.map((automation) => {
    const agent = agents.find(({ name }) => name === (automation.data.agent ?? foreman));
    const runner = automation.data.runner ?? agent?.data.runner ?? ofFactory;
    return [...farthest, ...runnerOf(runner), ...(agent ? [agent] : []), automation];
  });
  return [...runners.map((runner) => [...farthest, runner]), ...ofAgents, ...ofAutomations];
}

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
