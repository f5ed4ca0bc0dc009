import { Octokit } from "@octokit/core";
import { timeLimit } from "../../concurrency/promises.ts";
import { MillraceError } from "../../errors/error.ts";
import { outgoingFetch } from "../../platform/outgoing-fetch.ts";
import type { RepositoryName } from "../forge.ts";
import { ForgeError } from "../repository-forge.ts";
import {
  createAuthorizer,
  findInstallation,
  type GithubApp,
  type GithubCredential,
  openApp,
  proofOf,
} from "./credential.ts";
import { explainFailure, refuseRedirect } from "./explain-failure.ts";

export interface GithubApiOptions {
  /** The base of the API: `https://api.github.com`, or `https://HOST/api/v3`. */
  baseUrl: string;
  repository: { owner: string; repo: string };
  credential: () => Promise<GithubCredential>;
  /** Ends requests when the server stops. */
  signal: AbortSignal;
}

/** Asks the API once. @throws ForgeError */
export interface GithubApi {
  ask<Answer>(
    send: (request: Octokit["request"], repository: Repository) => Promise<Answer>,
  ): Promise<Answer>;
}

export interface Repository {
  owner: string;
  repo: string;
}

/** Longer than GitHub works on any request of these. */
const MAX_REQUEST_MS = 30_000;
/** The version that requests are written for: https://docs.github.com/en/rest/about-the-rest-api/api-versions */
const API_VERSION = "2022-11-28";

/** Sends requests without a credential, within their time, and never to another host. */
export function githubRequest(baseUrl: string, signal: AbortSignal): Octokit["request"] {
  const octokit = new Octokit({
    baseUrl,
    userAgent: "millrace",
    request: { fetch: fetchWithin(signal) },
    log: { debug() {}, info() {}, warn() {}, error() {} },
  });
  return octokit.request.defaults({ headers: { "x-github-api-version": API_VERSION } });
}

export function openGithubApi({ baseUrl, repository, credential, signal }: GithubApiOptions): GithubApi {
  const request = githubRequest(baseUrl, signal);
  const authorizer = createAuthorizer(credential, repository, request);
  return {
    async ask(send) {
      try {
        const authorization = await authorizer.authorize();
        return await send(request.defaults({ headers: { authorization } }), repository);
      } catch (error) {
        const explained = explainFailure(
          error,
          `${repository.owner}/${repository.repo}`,
          authorizer.secrets(),
        );
        if (explained.status === 401 || explained.status === 404) authorizer.forget();
        throw explained;
      }
    },
  };
}

/** A request ends with the server, or after its time; an answer that leads elsewhere is not followed. */
function fetchWithin(stopping: AbortSignal): typeof fetch {
  return async (url, init) => {
    const { signal } = timeLimit(MAX_REQUEST_MS, stopping);
    const response = await outgoingFetch(url, { ...init, redirect: "manual", signal }).catch((error) => {
      if (stopping.aborted) throw new ForgeError("unavailable", "The server is stopping.");
      if (error instanceof MillraceError)
        throw new ForgeError("refused", [error.message, error.remedy].join(" "));
      throw error;
    });
    refuseRedirect(response.status, response.headers.get("location"));
    return response;
  };
}

export interface PushTokenOptions {
  /** The base of the API. */
  baseUrl: string;
  repository: RepositoryName;
  app: GithubApp;
  signal: AbortSignal;
}

/**
 * Makes a token that lasts an hour, and with which an agent can push to one repository and open pull requests there,
 * whatever else the app may do.
 * https://docs.github.com/en/rest/apps/apps#create-an-installation-access-token-for-an-app
 * @throws ForgeError that holds no credential
 */
export async function pushToken({ baseUrl, repository, app, signal }: PushTokenOptions): Promise<string> {
  const { owner, name } = repository;
  const request = githubRequest(baseUrl, signal);
  try {
    const auth = openApp(app, request);
    const proof = await proofOf(auth);
    const installationId =
      app.installation ?? (await findInstallation(proof, { owner, repo: name }, request));
    const { token } = await auth({
      type: "installation",
      installationId,
      repositoryNames: [name],
      permissions: { contents: "write", pull_requests: "write" },
    });
    return token;
  } catch (error) {
    throw explainFailure(error, `${owner}/${name}`, [app.privateKey]);
  }
}
