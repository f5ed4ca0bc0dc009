import { randomBytes } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createMirrorCache } from "../../../src/git/mirrors/mirror-cache.ts";
import { repositorySource } from "../../../src/git/repository.ts";
import { temporaryFolder } from "../../given/folder.ts";
import { repositoryWith } from "../../given/repository.ts";

const MIB = 1024 * 1024;

test("a repository that is larger than a mirror may be is refused, and the refusal names the limit", async () => {
  const { url } = repositoryWith({ "factory.yaml": "x", "large.bin": randomBytes(2 * MIB) });
  const gitFolder = temporaryFolder();
  const source = repositorySource({ url, branch: "main", path: ".", access: {}, gitFolder, mostBytes: MIB });
  await expect(source.latest()).rejects.toThrow(/exceeds 1 MiB \(MILLRACE_MIRROR_LIMIT\)/);
});

test("a repository of a run that is larger than a mirror may be is not cloned, and one within the limit is", async () => {
  const { signal } = new AbortController();
  const remoteOf = (url: string) => ({ forge: "home", url, access: {}, tokenIn: "nowhere" });
  const gitFolder = temporaryFolder();
  const mirrors = createMirrorCache(gitFolder, MIB);
  const large = repositoryWith({ "large.bin": randomBytes(2 * MIB) });
  await expect(mirrors.of(remoteOf(large.url)).refresh(signal)).rejects.toThrow("MILLRACE_MIRROR_LIMIT");
  const small = repositoryWith({ "small.bin": randomBytes(1_000) });
  await mirrors.of(remoteOf(small.url)).refresh(signal);
  expect(readdirSync(join(gitFolder, "mirrors"))).toHaveLength(2);
});
