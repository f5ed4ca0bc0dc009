import { setTimeout as sleep } from "node:timers/promises";
import { MillraceError } from "../error.ts";
import type { RepositoryName } from "../forge/forge.ts";
import type { Factories, Factory } from "../reconcile/factories.ts";
import type { CloudEnvironment, EnvironmentStore } from "../runs/cloud-environment.ts";
import { type ListedSkill, listRepositorySkills } from "../runs/repository-skills.ts";
import type { RunStore } from "../runs/run.ts";
import { type SkillParts as RepositoryParts, skillPrompt } from "../runs/skills.ts";
import { reachesFactory } from "./authorize.ts";
import { type ApiRequest, type Endpoints, keyOf } from "./endpoint.ts";

export interface SkillParts {
  factories: Factories;
  environments: Pick<EnvironmentStore, "list">;
  runs: Pick<RunStore, "list">;
  /** Where skills of repositories are read. */
  repositories: RepositoryParts;
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
export function skillEndpoints(parts: SkillParts): Endpoints {
  return {
    listAgents: {
      role: "viewer",
      async handle(request) {
        const { include_malformed_skills: withMalformed, sort_by } = request.query;
        const found = await findVariants(request, parts);
        const shown = withMalformed ? found : found.filter(({ error }) => error === undefined);
        const agents = [...byName(shown)].map(([name, variants]) => ({ name, variants }));
        return { json: { agents: agents.sort(sort_by === "last_run" ? lastRunFirst : inOrder) } };
      },
    },
  };
}

async function findVariants(
  request: ApiRequest,
  parts: SkillParts,
): Promise<(Variant & { error?: string })[]> {
  const key = keyOf(request);
  const { repo, refresh } = request.query;
  const factories = parts.factories.list().filter(({ record }) => reachesFactory(key, record.uid));
  const environments = reachesFactory(key, null) ? await parts.environments.list() : [];
  const known = repositoriesOf(factories, environments);
  const wanted = repo === undefined ? known : known.filter(({ owner, name }) => `${owner}/${name}` === repo);
  if (repo !== undefined && wanted.length === 0) throw noRepository(repo);
  const ofRepositories = await Promise.all(
    wanted.slice(0, MAX_REPOSITORIES).map((each) => variantsOf(each, environments, refresh, parts)),
  );
  const ofDefinitions = repo === undefined ? factories.flatMap(definedVariants) : [];
  const all = [...ofDefinitions, ...ofRepositories.flat()];
  return Promise.all(
    all.map(async (variant) => ({
      ...variant,
      last_run_timestamp: await lastRun(variant.id, request, parts),
    })),
  );
}

function repositoriesOf(
  factories: readonly Factory[],
  environments: readonly CloudEnvironment[],
): RepositoryName[] {
  const all = [
    ...factories.flatMap(({ served }) => served?.definition.factory.repositories ?? []),
    ...environments.flatMap(({ config }) => config.repositories),
  ];
  return [...new Map(all.map((each) => [`${each.owner}/${each.name}`, each])).values()];
}

/** A repository that cannot be reached has no skills to show just now, and the others do. */
async function variantsOf(
  repository: RepositoryName,
  environments: readonly CloudEnvironment[],
  refresh: boolean,
  { repositories }: SkillParts,
): Promise<Variant[]> {
  const stop = new AbortController();
  const skills = listRepositorySkills(repository, repositories, { refresh, signal: stop.signal }).catch(
    () => [],
  );
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
function definedVariants({ record, served }: Factory): Variant[] {
  return (served?.definition.skills ?? []).map(({ path, description, content }) => {
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

async function lastRun(spec: string, request: ApiRequest, { runs }: SkillParts): Promise<string | null> {
  const { factories, principal } = keyOf(request);
  const visibleTo = factories && { factories, principalUid: principal.uid };
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
        "Name one as owner/repo that a definition lists under repositories, or leave repo out for all of them.",
      extra: { field: "repo" },
    },
  );
}
