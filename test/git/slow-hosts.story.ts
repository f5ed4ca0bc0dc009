import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { expect, test } from "vitest";
import { repositorySource } from "../../src/git/repository.ts";
import { temporaryFolder } from "../given/folder.ts";
import { serveOverHttp } from "../given/git-http.ts";
import { repositoryWith } from "../given/repository.ts";

test("a repository that sends slowly is read; one that sends nothing is given up", async () => {
  const files = { noise: randomBytes(600_000) };
  const host = await serveOverHttp(repositoryWith(files).url, "token");
  const source = () =>
    repositorySource({
      url: host.url,
      branch: "main",
      path: ".",
      access: { token: async () => "token" },
      gitFolder: join(temporaryFolder(), "git"),
      silenceLimitMs: 2_500,
    });
  host.pieceEvery = { bytes: 20_000, milliseconds: 150 };
  expect((await source().latest()).entries).toHaveLength(1);
  host.pieceEvery = { bytes: 1, milliseconds: 60_000 };
  await expect(source().latest()).rejects.toThrow(/produced no output/);
});
