import type { ProviderTrigger } from "../definitions/definition.ts";
import { hasConstraint } from "../definitions/filters/matcher-list.ts";
import { at } from "../definitions/filters/payload-field.ts";
import { storable } from "../platform/storable-text.ts";
import type { DeliveryStore } from "./delivery.ts";

/** A pull request as a forge's deliveries name it. */
export interface PullRequestName {
  /** `owner/name`, in lower case. */
  repository: string;
  number: number;
}

/** A pull request with the login of the person who opened it. */
export interface PullRequestAuthor extends PullRequestName {
  author: string;
}

/** What a delivery says of the author of a pull request. */
export function authorToldBy(event: string | null, payload: unknown): PullRequestAuthor | null {
  if (event === null) return null;
  const number = at(payload, "pull_request", "number");
  const author = at(payload, "pull_request", "user", "login");
  const repository = repositoryOf(payload);
  if (typeof number !== "number" || typeof author !== "string" || repository === undefined) return null;
  return { repository, number, author: storable(author) };
}

/** The authors of the pull requests that a workflow run is linked to, of which GitHub sends the numbers alone. */
export async function findLinkedAuthors(
  { factoryUid, event, payload }: { factoryUid: string; event: string | null; payload: unknown },
  { findAuthors }: Pick<DeliveryStore, "findAuthors">,
): Promise<string[]> {
  const linked = event === "workflow_run" ? linkedPullRequests(payload) : [];
  return linked.length > 0 ? findAuthors(factoryUid, linked) : [];
}

/** The same out of all that is known of a factory. */
export function linkedAuthorsIn(payload: unknown, known: ReadonlyMap<string, string>): string[] {
  return linkedPullRequests(payload).flatMap((each) => known.get(nameOf(each)) ?? []);
}

export const nameOf = ({ repository, number }: PullRequestName) => `${repository}#${number}`;

/** Whether a trigger compares authors that deliveries do not say. */
export function asksForLinkedAuthors({ provider, event, filter }: ProviderTrigger): boolean {
  return provider === "github" && event === "workflow_run_completed" && hasConstraint(filter.authors);
}

function linkedPullRequests(payload: unknown): PullRequestName[] {
  const list = at(payload, "workflow_run", "pull_requests");
  const repository = repositoryOf(payload);
  if (!Array.isArray(list) || repository === undefined) return [];
  return list
    .map((each) => at(each, "number"))
    .filter((number) => typeof number === "number")
    .map((number) => ({ repository, number }));
}

function repositoryOf(payload: unknown): string | undefined {
  const name = at(payload, "repository", "full_name");
  return typeof name === "string" ? storable(name).toLowerCase() : undefined;
}
