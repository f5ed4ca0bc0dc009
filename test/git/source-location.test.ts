import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { locateSource, sourceName } from "../../src/git/source-location.ts";
import { folderWith } from "../given/folder.ts";
import { repositoryWith } from "../given/repository.ts";

describe("a source", () => {
  test("that is a folder is watched, with or without a .git of its own", () => {
    const folder = folderWith({ a: "1" });
    expect(locateSource(folder)).toEqual({ kind: "folder", path: folder });
    const clone = repositoryWith({ a: "1" }).git("rev-parse", "--show-toplevel");
    expect(locateSource(clone)).toEqual({ kind: "folder", path: clone });
  });

  test("that is a bare repository is reconciled, and so is git:PATH", () => {
    const repository = repositoryWith({ a: "1" });
    expect(locateSource(repository.url)).toEqual({ kind: "repository", url: repository.url });
    const clone = repository.git("rev-parse", "--show-toplevel");
    expect(locateSource(`git:${clone}`)).toEqual({ kind: "repository", url: clone });
  });

  test.each([
    "https://example.com/acme/factory.git",
    "ssh://git@example.com:2222/acme/factory.git",
    "git@example.com:acme/factory.git",
    "file:///srv/git/factory.git",
    "git://example.com/factory.git",
  ])("%s is a repository", (url) => {
    expect(locateSource(url)).toEqual({ kind: "repository", url });
    expect(sourceName(locateSource(url))).toBe("factory");
  });

  test.each([
    ["a path that is not there", "/nowhere/at/all"],
    ["git: without a repository", "git:"],
    ["git: with a path that is not there", "git:/nowhere"],
    ["a transport that runs commands", "ext::sh -c date"],
    ["a transport of another program", "transport::https://example.com/x"],
    ["a file that is open", "fd::17"],
    ["an option", "--upload-pack=date"],
    ["a host that is an option", "-oProxyCommand=date:x"],
    ["a host in a URL that is an option", "ssh://-oProxyCommand=date/x"],
  ])("that is %s is refused", (_, source) => {
    expect(() => locateSource(source)).toThrow(/Specify a folder|is not an existing|is neither|is not a URL/);
  });

  test("that is git:PATH with a folder without git is refused", () => {
    const folder = folderWith({ a: "1" });
    expect(() => locateSource(`git:${folder}`)).toThrow(
      expect.objectContaining({
        message: `The source "git:${folder}" is a folder that is not a git repository.`,
        remedy: `Specify the folder itself, as "${folder}", or make it a repository: git init, git add, git commit.`,
      }),
    );
  });

  test("that is a file is refused", () => {
    expect(() => locateSource(join(folderWith({ a: "1" }), "a"))).toThrow("is a file");
  });

  test.each([
    ["a password", "https://bot:hunter2@example.com/x.git"],
    ["a token for a user name", "https://hunter2@example.com/x.git"],
    ["a token for a password without a user", "http://:hunter2@127.0.0.1/x.git"],
    ["a password over ssh", "ssh://git:hunter2@example.com/x.git"],
    ["a password with an @", "https://bot:@hunter2@example.com/x.git"],
    ["a password in what is no URL", "https://bot:hunter2@exa mple.com/x.git"],
  ])("with %s in it is refused, without showing it", (_, source) => {
    const act = () => locateSource(source);
    expect(act).toThrow(/contains a user name or a password|is not a URL/);
    expect(act).not.toThrow("hunter2");
  });

  test("with a user name for ssh is not refused: it only says who logs in", () => {
    expect(() => locateSource("ssh://git@example.com/x.git")).not.toThrow();
    expect(() => locateSource("git@example.com:x.git")).not.toThrow();
  });
});
