import { expect, test } from "vitest";
import { pullRequestAddress } from "../../src/insight/pull-request.ts";

test.each([
  ["https://github.com/acme/shop/pull/12", "github.com/acme/shop#12", "acme/shop", 12],
  ["http://GitHub.com/Acme/Shop/pull/12/files?w=1#diff-1", "github.com/acme/shop#12", "Acme/Shop", 12],
  ["https://git.example:8443/a/b/c/-/merge_requests/7/diffs", "git.example:8443/a/b/c#7", "a/b/c", 7],
  ["https://www.github.com//acme/shop/pull/012", "github.com/acme/shop#12", "acme/shop", 12],
  ["https://git.example/a/b/merge_requests/7", "git.example/a/b#7", "a/b", 7],
  ["https://code.example/r/acme/+/99/", "code.example/r/acme/+/99/", undefined, undefined],
  ["https://github.com/acme/shop/pull/12x", "github.com/acme/shop/pull/12x", undefined, undefined],
])("%s is the pull request %s", (text, key, repository, number) => {
  const found = pullRequestAddress(text);
  expect([found?.key, found?.name?.repository, found?.name?.number]).toEqual([key, repository, number]);
});

test.each(["", "acme/shop#12", "ftp://github.com/acme/shop/pull/1", "javascript:alert(1)"])(
  "%s is the address of no pull request",
  (text) => expect(pullRequestAddress(text)).toBeUndefined(),
);
