import type { EventCheckout } from "../git/checkout.ts";

/** A field of a payload, which may have any shape. */
function at(payload: unknown, ...path: string[]): unknown {
  return path.reduce<unknown>(
    (inner, key) =>
      typeof inner === "object" && inner !== null && Object.hasOwn(inner, key)
        ? (inner as Record<string, unknown>)[key]
        : undefined,
    payload,
  );
}

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
  return requested(
    "pull",
    at(payload, "pull_request", "number") ?? ofIssue,
    at(head, "sha"),
    at(head, "ref"),
  );
}

function ofMergeRequest(payload: unknown): Place | undefined {
  const ofNote = at(payload, "merge_request");
  const isOfRequest = at(payload, "object_kind") === "merge_request";
  const request = ofNote ?? (isOfRequest ? at(payload, "object_attributes") : undefined);
  const commit = at(request, "last_commit", "id");
  return requested("merge-requests", at(request, "iid"), commit, at(request, "source_branch"));
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
    const place =
      requested("pull", at(suite, "pull_requests", "0", "number"), commit, branch) ??
      ofBranch(branch, commit);
    if (place) return place;
  }
  return undefined;
}

function ofBranch(branch: unknown, sha: unknown): Place | undefined {
  const commit = commitOf(sha);
  if (typeof branch !== "string" || !isRefName(branch) || commit === undefined) return undefined;
  return { ref: `refs/heads/${branch}`, commit, branch };
}

/** A forge keeps the head of a request in the repository that it asks to change. */
function requested(kind: string, number: unknown, sha: unknown, branch: unknown): Place | undefined {
  if (typeof number !== "number" || !Number.isSafeInteger(number) || number < 1) return undefined;
  const commit = commitOf(sha);
  const isNamed = typeof branch === "string" && isRefName(branch);
  return {
    ref: `refs/${kind}/${number}/head`,
    ...(commit === undefined ? {} : { commit }),
    branch: isNamed ? branch : `${kind}/${number}`,
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
