import { storable } from "../storable-text.ts";
import type { PullRequestEvent } from "./pull-request.ts";
import { toldByGithub } from "./told-by-github.ts";
import { toldByGitlab } from "./told-by-gitlab.ts";

/**
 * What an authenticated delivery tells of a pull request.
 * @param event the name of the event, from the provider's header
 */
export function pullRequestToldBy(event: string | null, payload: unknown): PullRequestEvent | null {
  const told = toldByGithub(event, payload) ?? toldByGitlab(payload);
  return told ? storable(told) : null;
}
