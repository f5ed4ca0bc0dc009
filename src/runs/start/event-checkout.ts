import { at } from "../../definitions/filters/payload-field.ts";
import type { EventCheckout } from "../../git/checkout.ts";

/**
 * Where in which repository an event of GitHub or GitLab happened: the head of the pull or merge request that it is about,
 * also of one from a fork, or the commit that was pushed.
 * @param payload of a provider that has signed it. Names of branches in it are still a stranger's
 * @returns nothing for an event that is about no commit
 */
export function eventCheckout(payload: unknown): EventCheckout | undefined {
  const repository = at(payload, "repository", "full_name") ?? at(payload, "project", "path_with_namespace");
  if (typeof repository !== "string" || !REPOSITORY.test(repository)) return undefined;
  const place = ofPullRequest(payload) ?? ofMergeRequest(payload) ?? ofPush(payload) ?? ofCheck(payload);
  return place && { repository, ...place };
}

type Place = Omit<EventCheckout, "repository">;

/** A comment on a pull request is one on its issue, which names no commit. */
function ofPullRequest(payload: unknown): Place | undefined {
  const ofIssue =
    at(payload, "issue", "pull_request") === undefined ? undefined : at(payload, "issue", "number");
  const head = at(payload, "pull_request", "head");
  return requested("pull", at(payload, "pull_request", "number") ?? ofIssue, {
    commit: at(head, "sha"),
    branch: at(head, "ref"),
    isOwn: head === undefined ? undefined : isOfRepository(payload, at(head, "repo", "full_name")),
  });
}

function ofMergeRequest(payload: unknown): Place | undefined {
  const ofNote = at(payload, "merge_request");
  const isOfRequest = at(payload, "object_kind") === "merge_request";
  const request = ofNote ?? (isOfRequest ? at(payload, "object_attributes") : undefined);
  const source = at(request, "source_project_id");
  return requested("merge-requests", at(request, "iid"), {
    commit: at(request, "last_commit", "id"),
    branch: at(request, "source_branch"),
    isOwn: typeof source === "number" && source === at(request, "target_project_id"),
  });
}

/** A branch or tag that was deleted has no commit. */
function ofPush(payload: unknown): Place | undefined {
  const ref = at(payload, "ref");
  if (typeof ref !== "string" || at(payload, "deleted") === true) return undefined;
  const branch = /^refs\/heads\/(.+)$/.exec(ref)?.[1];
  const name = branch ?? /^refs\/tags\/(.+)$/.exec(ref)?.[1];
  if (name === undefined || !isRefName(name)) return undefined;
  const commit = commitOf(at(payload, "after"));
  return commit === undefined ? undefined : { ref, commit, ...(branch === undefined ? {} : { branch }) };
}

/** What a check or a workflow looked at: the head of its pull request, or a branch of the repository itself. */
function ofCheck(payload: unknown): Place | undefined {
  for (const key of ["check_suite", "check_run", "workflow_run"]) {
    const check = at(payload, key);
    const suite = at(check, "check_suite") ?? check;
    const [commit, branch] = [at(suite, "head_sha"), at(suite, "head_branch")];
    // Checks look at pushes to the repository itself; of a fork they have no branch.
    const isOwn =
      key !== "workflow_run" || isOfRepository(payload, at(suite, "head_repository", "full_name"));
    const request = at(suite, "pull_requests", "0");
    const place =
      requested("pull", at(request, "number"), {
        commit,
        branch,
        isOwn: isOwn && isOfOneRepository(request),
      }) ?? (isOwn ? ofBranch(branch, commit) : ofDefaultBranch(payload));
    if (place) return place;
  }
  return undefined;
}

/** A commit of a fork that no pull request names cannot be fetched. */
function ofDefaultBranch(payload: unknown): Place | undefined {
  const branch = at(payload, "repository", "default_branch");
  if (typeof branch !== "string" || !isRefName(branch)) return undefined;
  return { ref: `refs/heads/${branch}`, fromFork: true };
}

function isOfRepository(payload: unknown, name: unknown): boolean {
  const own = at(payload, "repository", "full_name");
  return typeof name === "string" && typeof own === "string" && name.toLowerCase() === own.toLowerCase();
}

/** A check names the repositories of a pull request by their ids. */
function isOfOneRepository(request: unknown): boolean {
  const id = at(request, "head", "repo", "id");
  return typeof id === "number" && id === at(request, "base", "repo", "id");
}

function ofBranch(branch: unknown, sha: unknown): Place | undefined {
  const commit = commitOf(sha);
  if (typeof branch !== "string" || !isRefName(branch) || commit === undefined) return undefined;
  return { ref: `refs/heads/${branch}`, commit, branch };
}

/** What an event says of the head of a request, of which a stranger chooses the branch. */
interface Head {
  commit: unknown;
  branch: unknown;
  /** Whether it is in the repository that the request asks to change; nothing when the event does not say. */
  isOwn: boolean | undefined;
}

/**
 * A forge keeps the head of a request in the repository that it asks to change. The branch of a fork names nothing there: one
 * that is called `main` would be pushed over the repository's own.
 */
function requested(kind: string, number: unknown, head: Head): Place | undefined {
  if (typeof number !== "number" || !Number.isSafeInteger(number) || number < 1) return undefined;
  const { branch, isOwn } = head;
  const commit = commitOf(head.commit);
  const isNamed = isOwn === true && typeof branch === "string" && isRefName(branch);
  return {
    ref: `refs/${kind}/${number}/head`,
    ...(commit === undefined ? {} : { commit }),
    branch: isNamed ? branch : `${kind}/${number}`,
    ...(isOwn === false ? { fromFork: true as const } : {}),
  };
}

/** No part of it is an option, or a folder above. */
const REPOSITORY = /^(?![.-])[\w.-]+(\/(?![.]{1,2}(\/|$)|-)[\w.-]+)+$/;

/** A full hash that is not the one of nothing. */
function commitOf(sha: unknown): string | undefined {
  return typeof sha === "string" && /^(?!0+$)([0-9a-f]{40}|[0-9a-f]{64})$/.test(sha) ? sha : undefined;
}

/** Fewer names than git allows (git-check-ref-format), and none that is an option or leads out of `refs/`. */
function isRefName(name: string): boolean {
  const isSafe =
    /^[\p{L}\p{N}_@#+=,./-]{1,200}$/u.test(name) && !/^[-/.]|[/.]$|\.\.|\/\/|\/\.|@\{|^@$/.test(name);
  return isSafe && !name.split("/").some((part) => part.endsWith(".lock"));
}
