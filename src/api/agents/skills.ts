import { setTimeout as sleep } from "node:timers/promises";
import { MillraceError } from "../../errors/error.ts";
import type { Forges, RepositoryName, ServerForges } from "../../forge/forge.ts";
import type { GitAccess } from "../../git/git-environment.ts";
import type { MirrorCache } from "../../git/mirrors/mirror-cache.ts";
import { reachesFactory } from "../../principals/principal.ts";
import type { Factories } from "../../reconcile/factories.ts";
import type { Factory } from "../../reconcile/running-factory.ts";
import type { CloudEnvironment, EnvironmentStore } from "../../runs/agents/cloud-environment.ts";
import { type ListedSkill, listRepositorySkills, skillPrompt } from "../../runs/agents/skills.ts";
import type { RunStore } from "../../runs/run-store.ts";
import { type ApiRequest, type Called, type Endpoints, keyOf } from "../http/endpoint.ts";

export interface SkillDeps {
  factories: Factories;
  environments: Pick<EnvironmentStore, "list">;
  runs: Pick<RunStore, "list">;
  /** Where skills of repositories are read. */
  repositories: { forges: ServerForges<GitAccess>; mirrors: MirrorCache };
}

/** A repository, and the factories whose forges it is looked for on: those whose runs work on it. */
interface ListedRepository extends RepositoryName {
  factoryUids: readonly (string | null)[];
}

/** A list answers within this time, and goes without the repositories that have not. */
const PATIENCE_MS = 15_000;
const MAX_REPOSITORIES = 20;

interface Variant {
  name: string;
  id: string;
  base_prompt: string;
  description: string;
  environments: { uid: string; name: string }[];
  source: { owner: string; name: string; skill_path: string };
  last_run_timestamp: string | null;
  error?: string;
}

/** Skills by their names: the public API calls them agents, and its clients start runs with what they find here. */
export function skillEndpoints(deps: SkillDeps) {
  return {
    listAgents: {
      async handle(request) {
        const { include_malformed_skills: withMalformed, sort_by } = request.query;
        const found = await findVariants(request, deps);
        const shown = withMalformed ? found : found.filter(({ error }) => error === undefined);
        const agents = [...byName(shown)].map(([name, variants]) => ({ name, variants }));
        return { json: { agents: agents.sort(sort_by === "last_run" ? lastRunFirst : inOrder) } };
      },
    },
  } satisfies Endpoints;
}

async function findVariants(
  request: ApiRequest<"listAgents">,
  deps: SkillDeps,
): Promise<(Variant & { error?: string })[]> {
  const key = keyOf(request);
  const { repo, refresh } = request.query;
  const factories = deps.factories.list().filter(({ record }) => reachesFactory(key, record.uid));
  const environments = reachesFactory(key, null) ? await deps.environments.list() : [];
  const known = repositoriesOf(factories, environments);
  const wanted = repo === undefined ? known : known.filter(({ owner, name }) => `${owner}/${name}` === repo);
  if (repo !== undefined && wanted.length === 0) throw noRepository(repo);
  const shown = wanted.slice(0, MAX_REPOSITORIES);
  const forges = await forgesFor(shown, deps.repositories);
  const ofRepositories = await Promise.all(
    shown.map((each) => variantsOf(each, environments, forges, { refresh, ...deps.repositories })),
  );
  const ofDefinitions = repo === undefined ? factories.flatMap(definedVariants) : [];
  const all = [...ofDefinitions, ...ofRepositories.flat()];
  return Promise.all(
    all.map(async (variant) => ({
      ...variant,
      last_run_timestamp: await lastRun(variant.id, request, deps),
    })),
  );
}

function repositoriesOf(
  factories: readonly Factory[],
  environments: readonly CloudEnvironment[],
): ListedRepository[] {
  // Runs of any factory, and of none, can be in an environment.
  const everybody = [...factories.map(({ record }) => record.uid), null];
  const all = [
    ...factories.flatMap(({ record, active }) =>
      (active?.definition.factory.repositories ?? []).map((each) => ({ each, factoryUids: [record.uid] })),
    ),
    ...environments.flatMap(({ config }) =>
      config.repositories.map((each) => ({ each, factoryUids: everybody })),
    ),
  ];
  const found = new Map<string, ListedRepository>();
  for (const { each, factoryUids } of all) {
    const key = `${each.owner}/${each.name}`;
    const before = found.get(key)?.factoryUids ?? [];
    found.set(key, { ...each, factoryUids: [...new Set([...before, ...factoryUids])] });
  }
  return [...found.values()];
}

/** The forges of each factory, by its uid: each is looked up once for all repositories. */
type ForgesByFactory = ReadonlyMap<string | null, Forges<GitAccess>>;

async function forgesFor(
  repositories: readonly ListedRepository[],
  { forges }: Pick<SkillDeps["repositories"], "forges">,
): Promise<ForgesByFactory> {
  const uids = new Set(repositories.flatMap(({ factoryUids }) => factoryUids));
  return new Map(await Promise.all([...uids].map(async (uid) => [uid, await forges.of(uid)] as const)));
}

interface ReadOptions {
  mirrors: MirrorCache;
  refresh: boolean;
}

/** What the first of the forges has that can be read; factories may reach one repository through several. */
async function skillsOf(
  { factoryUids, ...repository }: ListedRepository,
  forges: ForgesByFactory,
  { mirrors, ...options }: ReadOptions & { signal: AbortSignal },
): Promise<ListedSkill[]> {
  const places = new Map<string, Forges<GitAccess>>();
  for (const uid of factoryUids) {
    const ofFactory = forges.get(uid);
    const found = ofFactory?.locate(repository);
    if (ofFactory && found && !("missing" in found) && !places.has(found.forge))
      places.set(found.forge, ofFactory);
  }
  const lists = [...places.values()].map((each) =>
    listRepositorySkills(repository, { forges: each, mirrors }, options).catch(() => []),
  );
  for (const list of lists) if ((await list).length > 0) return list;
  return [];
}

/** A repository that cannot be reached has no skills to show just now, and the others do. */
async function variantsOf(
  repository: ListedRepository,
  environments: readonly CloudEnvironment[],
  forges: ForgesByFactory,
  { mirrors, refresh }: ReadOptions,
): Promise<Variant[]> {
  const stop = new AbortController();
  const skills = skillsOf(repository, forges, { mirrors, refresh, signal: stop.signal }).catch(() => []);
  const late = sleep(PATIENCE_MS, [], { ref: false, signal: stop.signal }).catch(() => []);
  const found: ListedSkill[] = await Promise.race([skills, late]);
  stop.abort();
  const places = environments.filter(({ config }) =>
    config.repositories.some((each) => isSame(each, repository)),
  );
  return found.map(({ spec, name, path, description, prompt, error }) => ({
    name,
    id: spec,
    base_prompt: prompt,
    description,
    environments: places.map(({ uid, config }) => ({ uid, name: config.name })),
    source: { owner: repository.owner, name: repository.name, skill_path: path },
    last_run_timestamp: null,
    ...(error === undefined ? {} : { error }),
  }));
}

function isSame(a: RepositoryName, b: RepositoryName): boolean {
  return a.owner === b.owner && a.name === b.name;
}

/** A request names a skill of its agent's definition by the name alone. */
function definedVariants({ record, active }: Factory): Variant[] {
  return (active?.definition.skills ?? []).map(({ path, description, content }) => {
    const name = path.split("/").at(-2) ?? "";
    return {
      name,
      id: name,
      base_prompt: skillPrompt({ name, content }),
      description: description ?? "",
      environments: [],
      source: { owner: "", name: record.name, skill_path: path },
      last_run_timestamp: null,
    };
  });
}

async function lastRun(spec: string, request: Called, { runs }: SkillDeps): Promise<string | null> {
  const { factories: visibleTo } = keyOf(request);
  const { runs: found } = await runs.list({
    limit: 1,
    sort: "created_at",
    descending: true,
    filter: { skill: spec, ...(visibleTo ? { visibleTo } : {}) },
  });
  return found[0]?.createdAt ?? null;
}

function byName(variants: readonly Variant[]): Map<string, Omit<Variant, "name">[]> {
  const named = new Map<string, Omit<Variant, "name">[]>();
  for (const { name, ...variant } of variants) named.set(name, [...(named.get(name) ?? []), variant]);
  return named;
}

interface Agent {
  name: string;
  variants: Omit<Variant, "name">[];
}

function inOrder(a: Agent, b: Agent): number {
  return a.name < b.name ? -1 : 1;
}

function lastRunFirst(a: Agent, b: Agent): number {
  const [of, other] = [a, b].map(
    ({ variants }) =>
      variants
        .map((each) => each.last_run_timestamp ?? "")
        .sort()
        .at(-1) ?? "",
  );
  return of === other ? inOrder(a, b) : (of ?? "") < (other ?? "") ? 1 : -1;
}

function noRepository(repo: string): MillraceError {
  return new MillraceError(
    "resource_not_found",
    `repo: no factory or environment lists the repository ${repo}.`,
    {
      remedy:
        "Specify, as owner/repo, a repository that a definition lists under repositories, or omit repo to include all repositories.",
      extra: { field: "repo" },
    },
  );
}
