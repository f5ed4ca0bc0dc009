import { expect, test } from "vitest";
import { isOtherRepository, repositoryIn } from "../../../src/ingress/push-hooks/push-hook.ts";

test.each([
  ["https://github.com/acme/Agents.git", "acme/agents"],
  ["https://git.example.com:8443/scm/team/agents/", "scm/team/agents"],
  ["ssh://git@github.com/acme/agents.git", "acme/agents"],
  ["git@github.com:acme/agents.git", "acme/agents"],
  ["work:acme/agents", "acme/agents"],
  ["http://127.0.0.1:4711/agents.git", undefined],
  ["/srv/git/acme/agents.git", undefined],
  ["file:///srv/git/acme/agents.git", undefined],
])("the repository in %s is %s", (url, path) => {
  expect(repositoryIn(url)).toBe(path);
});

test.each<[string | undefined, string[], boolean]>([
  ["acme/agents", ["acme/agents"], false],
  ["Acme/Agents", ["acme/agents"], false],
  ["TEAM/agents", ["scm/team/agents"], false],
  ["acme/agents", ["mirror/agents", "acme/agents"], false],
  ["acme/other", ["acme/agents"], true],
  ["me/agents", ["acme/agents"], true],
  // The end of a name is no name.
  ["me/agents", ["acme/some/agents"], true],
  ["e/agents", ["acme/agents"], true],
  [undefined, ["acme/agents"], false],
  ["acme/agents", [], false],
])("a hook of %s for a factory of %s is about another repository: %s", (named, known, isOther) => {
  expect(isOtherRepository(named, known)).toBe(isOther);
});
