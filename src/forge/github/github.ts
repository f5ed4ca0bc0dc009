import {
  type CheckResult,
  type CommitStatus,
  ForgeError,
  type OpenCheck,
  type PullRequest,
  type RepositoryForge,
} from "../repository-forge.ts";
import type { GithubApi } from "./api.ts";
import { beginCheckRun } from "./checks.ts";
import type { GithubCredential } from "./credential.ts";

export interface GithubOptions {
  baseUrl: string;
  repository: { owner: string; repo: string };
  credential: () => Promise<GithubCredential>;
  /** What checks and statuses are called; branch protection names it. */
  checkName: string;
  /** Where people see more; nothing for a server without a public URL. */
  detailsUrl: string | undefined;
  signal: AbortSignal;
}

/** GitHub shows at most so many characters of a status. */
const MAX_DESCRIPTION = 140;

/** One repository on GitHub. Only an app can make check runs; with a token, commit statuses take their place. */
export function githubForge(options: GithubOptions): RepositoryForge {
  const { repository, checkName, detailsUrl } = options;
  let opened: Promise<GithubApi> | undefined;
  // Servers that tell no GitHub of anything do not load the library.
  const open = () => {
    opened ??= import("./api.ts").then(({ openGithubApi }) => openGithubApi(options));
    return opened;
  };
  const ask: GithubApi["ask"] = async (send) => (await open()).ask(send);

  async function setStatus({ commit, state, description }: CommitStatus): Promise<void> {
    await ask((request, { owner, repo }) =>
      request("POST /repos/{owner}/{repo}/statuses/{sha}", {
        owner,
        repo,
        sha: commit,
        state,
        context: checkName,
        description: cut(description),
        ...(detailsUrl === undefined ? {} : { target_url: detailsUrl }),
      }),
    );
  }

  const name = `${repository.owner}/${repository.repo}`;
  return {
    key: [options.baseUrl, name, checkName].join(" ").toLowerCase(),
    repository: name,
    checkName,
    setStatus,
    async findPullRequest(number) {
      const { data } = await ask((request, { owner, repo }) =>
        request("GET /repos/{owner}/{repo}/pulls/{pull_number}", { owner, repo, pull_number: number }),
      );
      return toPullRequest(data);
    },
    async listPullRequests(branch) {
      const { data } = await ask((request, { owner, repo }) =>
        request("GET /repos/{owner}/{repo}/pulls", {
          owner,
          repo,
          state: "open",
          base: branch,
          sort: "updated",
          direction: "desc",
          per_page: 100,
        }),
      );
      return data.map(toPullRequest);
    },
    async findTip(branch) {
      const { data } = await ask((request, { owner, repo }) =>
        request("GET /repos/{owner}/{repo}/git/ref/{ref}", { owner, repo, ref: `heads/${branch}` }),
      );
      return data.object.sha;
    },
    async beginCheck({ commit, title, reference }) {
      try {
        const run = { name: checkName, commit, title, reference, detailsUrl };
        return await beginCheckRun(await open(), run);
      } catch (error) {
        if (!mayOnlySetStatus(error)) throw error;
        await setStatus({ commit, state: "pending", description: title });
        return statusAsCheck(commit, setStatus);
      }
    },
  };
}

/** What GitHub answers to whoever is no app, or may not make check runs. */
function mayOnlySetStatus(error: unknown): boolean {
  return error instanceof ForgeError && error.kind === "refused" && [403, 404].includes(error.status ?? 0);
}

function statusAsCheck(commit: string, setStatus: RepositoryForge["setStatus"]): OpenCheck {
  return {
    async conclude(result) {
      const state = result.conclusion === "failure" ? "failure" : "success";
      // Nobody needs to know of what was cancelled, and there is no such state.
      if (result.conclusion !== "cancelled")
        await setStatus({ commit, state, description: inOneLine(result) });
    },
  };
}

/** A status has no annotations: the first problem stands for all. */
function inOneLine({ title, conclusion, annotations }: CheckResult): string {
  const [first] = annotations.filter(({ level }) => level === "failure");
  if (conclusion !== "failure" || !first) return title;
  const { path, line, column, message } = first;
  return `${path}:${line}:${column}: ${message}`;
}

function toPullRequest(data: {
  number: number;
  state: string;
  head: { sha: string };
  base: { ref: string };
}): PullRequest {
  return { number: data.number, head: data.head.sha, base: data.base.ref, isOpen: data.state === "open" };
}

function cut(description: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
  const line = description.replace(/[\u0000-\u001f\u007f]+/g, " ");
  return line.length > MAX_DESCRIPTION ? `${line.slice(0, MAX_DESCRIPTION - 1)}…` : line;
}
