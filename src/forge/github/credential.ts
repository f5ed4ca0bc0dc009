import { createAppAuth } from "@octokit/auth-app";
import type { Octokit } from "@octokit/core";
import { ForgeError } from "../repository-forge.ts";

/** What opens the API: a token, or an app with its private key. It is read anew for each request. */
export type GithubCredential =
  | { token: string }
  | { app: { id: string | number; privateKey: string; installation?: number | undefined } };

export type GithubApp = Extract<GithubCredential, { app: unknown }>["app"];
type AppAuth = ReturnType<typeof createAppAuth>;

/** Gives the value of the Authorization header, and what of it must not be shown. */
export interface Authorizer {
  authorize(): Promise<string>;
  /** The secrets of the last request. */
  secrets(): readonly string[];
  /** Has everything asked for anew: the app may have been installed again, or a token revoked. */
  forget(): void;
}

/**
 * Tokens of installations are for one repository and an hour; they are made when they are needed and kept in memory alone.
 * @param bare sends requests without a credential, and never to another host
 */
export function createAuthorizer(
  read: () => Promise<GithubCredential>,
  repository: { owner: string; repo: string },
  bare: Octokit["request"],
): Authorizer {
  let opened: { key: string; auth: AppAuth; installation: number } | undefined;
  let used: string[] = [];

  async function tokenOf(app: GithubApp): Promise<string> {
    const key = JSON.stringify(app);
    if (opened?.key !== key) {
      const auth = openApp(app, bare);
      const proof = await proofOf(auth);
      opened = {
        key,
        auth,
        installation: app.installation ?? (await findInstallation(proof, repository, bare)),
      };
    }
    const { auth, installation } = opened;
    const repositoryNames = [repository.repo];
    return (await auth({ type: "installation", installationId: installation, repositoryNames })).token;
  }

  return {
    secrets: () => used,
    forget() {
      opened = undefined;
    },
    async authorize() {
      const credential = await read();
      if ("token" in credential) {
        used = [credential.token];
        return `Bearer ${credential.token}`;
      }
      used = [credential.app.privateKey];
      const token = await tokenOf(credential.app);
      used = [...used, token];
      return `Bearer ${token}`;
    },
  };
}

/** Lets an app ask for tokens. */
export function openApp({ id, privateKey }: GithubApp, request: Octokit["request"]): AppAuth {
  const keepQuiet = { debug() {}, info() {}, warn() {}, error() {} };
  return createAppAuth({ appId: id, privateKey, request, log: keepQuiet });
}

/** What the app shows that it has its key by. */
export async function proofOf(auth: AppAuth): Promise<string> {
  try {
    return (await auth({ type: "app" })).token;
  } catch {
    // What a library says of a key may quote it.
    throw new ForgeError(
      "refused",
      "The private key of the GitHub app cannot be used. Set app.privateKey in millrace.yaml to the complete PEM file from GitHub.",
    );
  }
}

/** Asks which installation of the app a repository has. */
export async function findInstallation(
  proof: string,
  repository: { owner: string; repo: string },
  request: Octokit["request"],
): Promise<number> {
  const headers = { authorization: `Bearer ${proof}` };
  return (await request("GET /repos/{owner}/{repo}/installation", { ...repository, headers })).data.id;
}
