import { createHmac } from "node:crypto";
import { join } from "node:path";
import { FACTORY } from "./definition.ts";
import { type Files, temporaryFolder, writeFiles } from "./folder.ts";
import { serveOverHttp } from "./git-http.ts";
import { githubExample } from "./github.ts";
import {
  APP_ID,
  type CheckRun,
  type GithubStandIn,
  githubStandIn,
  PRIVATE_KEY,
  REPOSITORY,
  type Status,
  TOKEN,
} from "./github-stand-in.ts";
import { type Repository, repositoryAt } from "./repository.ts";
import { type Server, type ServerOptions, startServer, waitFor } from "./server.ts";
import { storyOf } from "./story.ts";

export const HOOK_SECRET = "a-secret-of-the-webhook";
const GIT_TOKEN = "a-deploy-token";

export interface PullRequestOptions extends Partial<ServerOptions> {
  /** What is in force at first. */
  files?: Files;
  /** More of `github:`; an app without it. */
  github?: object;
  /** More of the factory's settings. */
  factory?: object;
  /** More settings. */
  settings?: object;
  host?: GithubStandIn;
  repository?: Repository;
}

/** A server that follows a repository on the stand-in for GitHub, which tells it of pushes and pull requests. */
export async function pullRequestStage(options: PullRequestOptions = {}) {
  const { files = FACTORY, github, factory, settings, ...serverOptions } = options;
  const host = options.host ?? (await githubStandIn());
  const repository = options.repository ?? repositoryAt(join(temporaryFolder("millrace-git"), "factory.git"));
  if (!options.repository) host.tips.set("main", repository.push(files, { message: "Begin" }));
  const git = await serveOverHttp(repository.url, GIT_TOKEN);
  const config = join(temporaryFolder(), "millrace.yaml");
  writeFiles(join(config, ".."), {
    "app.pem": PRIVATE_KEY,
    "millrace.yaml": JSON.stringify({
      pollInterval: "1h",
      ...settings,
      factories: [
        {
          source: git.url,
          credentials: { token: { env: "GIT_TOKEN" } },
          hookSecret: { env: "HOOK_SECRET" },
          github: {
            repository: REPOSITORY,
            api: host.api,
            ...(github ?? { app: { id: APP_ID, privateKey: { file: join(config, "..", "app.pem") } } }),
          },
          ...factory,
        },
      ],
    }),
  });
  const server = await startServer({
    sources: [],
    ...serverOptions,
    args: ["--config", config],
    env: { GIT_TOKEN, HOOK_SECRET, GITHUB_TOKEN: TOKEN, ...options.env },
  });
  return { ...stepsOf(host, repository, server), config, git };
}

/** A credential that cannot make check runs. */
export const WITH_TOKEN = { token: { env: "GITHUB_TOKEN" } };

function stepsOf(host: GithubStandIn, repository: Repository, server: Server) {
  const story = storyOf(server);
  const folder = repository.git("rev-parse", "--show-toplevel");

  const steps = {
    host,
    repository,
    server,
    story,
    /** A commit on a branch that leaves the production branch here, as the head of a pull request. */
    pull(
      number: number,
      files: Files,
      { remove = [] as string[], base = "main", message = "Change it" } = {},
    ) {
      const branch = `pull-${number}`;
      const isKnown = repository.git("branch", "--list", branch) !== "";
      repository.git("checkout", "--quiet", ...(isKnown ? [branch] : ["-b", branch, "main"]));
      for (const path of remove) repository.git("rm", "-r", "--quiet", path);
      writeFiles(folder, files);
      repository.git("add", "--all");
      repository.git("commit", "--quiet", "--allow-empty", `--message=${message}`);
      const head = repository.git("rev-parse", "HEAD");
      repository.git("push", "--quiet", "--force", "origin", `HEAD:refs/pull/${number}/head`);
      repository.git("checkout", "--quiet", "main");
      host.pulls.set(number, { number, head, base, state: "open" });
      return head;
    },
    /** A push to the production branch. @returns its commit */
    push(files: Files, push: Parameters<Repository["push"]>[1] = {}) {
      const commit = repository.push(files, push);
      host.tips.set("main", commit);
      return commit;
    },
    merge(number: number) {
      repository.git("merge", "--quiet", "--no-ff", "--no-edit", `pull-${number}`);
      repository.git("push", "--quiet", "origin", "HEAD:refs/heads/main");
      const pull = host.pulls.get(number);
      if (pull) host.pulls.set(number, { ...pull, state: "closed" });
      const commit = repository.git("rev-parse", "HEAD");
      host.tips.set("main", commit);
      return commit;
    },
    /** Posts a hook as GitHub signs it. */
    async hook(event: string, payload: object, { secret = HOOK_SECRET, name = "acme" } = {}) {
      const body = JSON.stringify(payload);
      const signature = createHmac("sha256", secret).update(body).digest("hex");
      const answer = await fetch(`${server.url}/hooks/git/${name}`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "x-github-event": event,
          "x-hub-signature-256": `sha256=${signature}`,
        },
        body,
      });
      const told = (await answer.json()) as { status: string | number; reason?: string };
      return { code: answer.status, ...told };
    },
    tellOfPull: (number: number, action = "opened", changes: object = {}) =>
      steps.hook("pull_request", pullPayload(host, number, action, changes)),
    tellOfPush: () => steps.hook("push", { ref: "refs/heads/main", repository: { full_name: REPOSITORY } }),
    /** The last check run of a commit, once it is completed. */
    checked: (head: string, isIt: (run: CheckRun) => boolean = () => true) =>
      waitFor(() => host.checkRuns.findLast((run) => isDone(run, head) && isIt(run)), 25),
    /** The last status of a commit that has this state. */
    status: (sha: string, state: string) =>
      waitFor(() => host.statuses.findLast((status) => isOf(status, sha, state)), 25),
    /** Once nothing waits to be told, nor is being told. */
    quiet: () =>
      waitFor(async () => (await (await server.metrics()).text()).includes("millrace_feedback_waiting 0\n")),
    synced: () => waitFor(async () => (await story.factory()).sync.status === "synced"),
  };
  return steps;
}

const isDone = (run: CheckRun, head: string) => run.head_sha === head && run.status === "completed";
const isOf = (status: Status, sha: string, state: string) => status.sha === sha && status.state === state;

/** GitHub's own example of the event, about this pull request. */
export function pullPayload(
  { pulls, repository }: GithubStandIn,
  number: number,
  action: string,
  changes: object = {},
): object {
  const pull = pulls.get(number);
  return githubExample("pull_request", "opened", {
    action,
    number,
    pull_request: { number, head: { sha: pull?.head }, base: { ref: pull?.base } },
    repository: { full_name: repository },
    ...changes,
  }).payload;
}
