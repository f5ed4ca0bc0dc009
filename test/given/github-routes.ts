import { randomUUID } from "node:crypto";
import { githubAnswer } from "./github-description.ts";

/** The repository that the stand-in has. */
export const REPOSITORY = "acme/factory";

/** What somebody was told through the API of checks. */
export interface CheckRun {
  id: number;
  name: string;
  head_sha: string;
  external_id: string;
  details_url: string | null;
  status: string;
  conclusion: string | null;
  title: string;
  summary: string;
  annotations: {
    path: string;
    start_line: number;
    start_column: number;
    annotation_level: string;
    title: string;
    message: string;
  }[];
  /** How many annotations came with each request. */
  batches: number[];
}

export interface Status {
  sha: string;
  state: string;
  context: string;
  description: string;
  target_url: string | null;
}

export interface Pull {
  number: number;
  head: string;
  base: string;
  state: "open" | "closed";
}

export interface GithubState {
  repository: string;
  pulls: Map<number, Pull>;
  /** The commits of branches. */
  tips: Map<string, string>;
  checkRuns: CheckRun[];
  statuses: Status[];
  tokens: Set<string>;
  /** What was asked of each token of an installation. */
  grants: unknown[];
}

interface Asked {
  path: Record<string, string>;
  query: URLSearchParams;
  body: Record<string, never>;
}
type Handle = (asked: Asked) => { status: number; value: unknown };

const NOT_FOUND = {
  status: 404,
  value: { message: "Not Found", documentation_url: "https://docs.github.com/rest" },
};

/** Every route that the stand-in knows, over what it keeps. */
export function githubRoutes(state: GithubState, installation: number): Record<string, Handle> {
  const { pulls, tips, checkRuns, statuses } = state;
  return {
    "GET /repos/{owner}/{repo}/installation": () => ok(INSTALLATION_ROUTE, 200, { id: installation }),
    "POST /app/installations/{installation_id}/access_tokens": ({ path, body }) => {
      state.grants.push(body);
      if (path.installation_id !== String(installation)) return NOT_FOUND;
      const token = `ghs_${randomUUID().replaceAll("-", "")}`;
      state.tokens.add(token);
      const expires_at = new Date(Date.now() + 3_600_000).toISOString();
      return ok(TOKEN_ROUTE, 201, { token, expires_at });
    },
    "GET /repos/{owner}/{repo}/pulls/{pull_number}": ({ path }) => {
      const pull = pulls.get(Number(path.pull_number));
      if (!pull) return NOT_FOUND;
      return answer(PULL_ROUTE, 200, (example: PullExample) => pullOf(example, pull));
    },
    "GET /repos/{owner}/{repo}/pulls": ({ query }) =>
      answer(PULLS_ROUTE, 200, ([example]: [PullExample]) =>
        [...pulls.values()]
          .filter(({ state: now, base }) => now === query.get("state") && base === query.get("base"))
          .map((pull) => pullOf(structuredClone(example), pull)),
      ),
    "GET /repos/{owner}/{repo}/git/ref/{ref}": ({ path }) => {
      const sha = tips.get(String(path.ref).replace("heads/", ""));
      if (!sha) return NOT_FOUND;
      return answer(REF_ROUTE, 200, (example: { object: object }) => {
        return { ...example, ref: `refs/${path.ref}`, object: { ...example.object, sha } };
      });
    },
    "GET /repos/{owner}/{repo}/commits/{ref}/check-runs": ({ path, query }) =>
      answer(RUNS_ROUTE, 200, (example: { check_runs: RunExample[] }) => {
        const found = checkRuns.filter(
          (run) =>
            run.head_sha === path.ref &&
            run.name === query.get("check_name") &&
            run.status === query.get("status"),
        );
        const shown = found.map((run) => runOf(structuredClone(example.check_runs[0] as RunExample), run));
        return { total_count: found.length, check_runs: shown };
      }),
    "POST /repos/{owner}/{repo}/check-runs": ({ body }) => {
      const run: CheckRun = {
        id: checkRuns.length + 1,
        ...{ name: "", head_sha: "", external_id: "", details_url: null, conclusion: null },
        ...{ title: "", summary: "", annotations: [], batches: [], status: "queued" },
      };
      update(run, body);
      checkRuns.push(run);
      return answer(CREATE_ROUTE, 201, (example: RunExample) => runOf(example, run));
    },
    "PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}": ({ path, body }) => {
      const run = checkRuns.find(({ id }) => String(id) === path.check_run_id);
      if (!run) return NOT_FOUND;
      update(run, body);
      return answer(UPDATE_ROUTE, 200, (example: RunExample) => runOf(example, run));
    },
    "POST /repos/{owner}/{repo}/statuses/{sha}": ({ path, body }) => {
      const status = { target_url: null, ...body, sha: String(path.sha) } as unknown as Status;
      // GitHub refuses longer ones, though it does not describe that.
      if (status.description.length > 140) throw new Error("a description of more than 140 characters");
      statuses.push(status);
      const { sha: _, ...shown } = status;
      return ok(STATUS_ROUTE, 201, shown);
    },
  };
}

const INSTALLATION_ROUTE = "GET /repos/{owner}/{repo}/installation";
const TOKEN_ROUTE = "POST /app/installations/{installation_id}/access_tokens";
const PULL_ROUTE = "GET /repos/{owner}/{repo}/pulls/{pull_number}";
const PULLS_ROUTE = "GET /repos/{owner}/{repo}/pulls";
const REF_ROUTE = "GET /repos/{owner}/{repo}/git/ref/{ref}";
const RUNS_ROUTE = "GET /repos/{owner}/{repo}/commits/{ref}/check-runs";
const CREATE_ROUTE = "POST /repos/{owner}/{repo}/check-runs";
const UPDATE_ROUTE = "PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}";
const STATUS_ROUTE = "POST /repos/{owner}/{repo}/statuses/{sha}";

function answer<Example>(route: string, status: number, changes: (example: Example) => unknown) {
  return { status, value: githubAnswer(route, status, changes as never) };
}

function ok(route: string, status: number, changes: object) {
  return answer(route, status, (example: object) => ({ ...example, ...changes }));
}

type PullExample = Record<string, unknown> & { head: object; base: object };
type RunExample = Record<string, unknown> & { output: object };

function pullOf(example: PullExample, { number, head, base, state }: Pull) {
  return {
    ...example,
    number,
    state,
    head: { ...example.head, sha: head },
    base: { ...example.base, ref: base },
    // GitHub's example is older than its description of teams.
    requested_teams: [],
  };
}

function runOf(example: RunExample, run: CheckRun) {
  const { annotations, batches: _, title, summary, ...shown } = run;
  const output = { ...example.output, title, summary, annotations_count: annotations.length };
  return { ...example, ...shown, output };
}

/** Annotations are added to those before. */
function update(run: CheckRun, body: Record<string, unknown>): void {
  const { output, ...rest } = body as { output?: Partial<CheckRun> };
  Object.assign(run, rest);
  if (!output) return;
  run.title = output.title ?? run.title;
  run.summary = output.summary ?? run.summary;
  if (!output.annotations) return;
  run.annotations.push(...output.annotations);
  run.batches.push(output.annotations.length);
}
