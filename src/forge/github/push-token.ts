import type { RepositoryName } from "../forge.ts";
import { githubRequest } from "./api.ts";
import { findInstallation, type GithubApp, openApp, proofOf } from "./credential.ts";
import { explainFailure } from "./explain-failure.ts";

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
