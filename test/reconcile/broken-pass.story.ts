import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { reconcileSharedSecret } from "../../src/reconcile/shared-secrets.ts";
import { SHARED } from "../../src/secrets/rules/scope.ts";
import { FACTORY, TOKEN_WEBHOOK } from "../given/definition.ts";
import { type Files, folderWith, temporaryFolder } from "../given/folder.ts";
import { serveOverHttp } from "../given/git-http.ts";
import { repositoryWith } from "../given/repository.ts";
import { ADMIN_KEY, run, startServer, waitFor } from "../given/server.ts";
import { storyOf } from "../given/story.ts";
import { factoriesThatWait } from "../given/two-servers.ts";

const FILES: Files = { ...FACTORY, "webhooks/ci.yaml": TOKEN_WEBHOOK };

describe("a pass that breaks is a failed status with a problem, and sync says so", () => {
  const aFolder = () => folderWith({ "inside/x": "1" });

  test.each([
    [
      "a token file that cannot be read",
      async () => ({
        source: (await serveOverHttp(repositoryWith(FACTORY).url, "x")).url,
        env: { MILLRACE_GIT_TOKEN_FILE: aFolder() },
      }),
      {
        code: "GIT_AUTHENTICATION_FAILED",
        message:
          /token for git cannot be read: The secret file .* is not a regular file\. .*MILLRACE_GIT_TOKEN_FILE/,
      },
    ],
    [
      "a folder for mirrors that cannot be written",
      async () => {
        const dataDir = temporaryFolder();
        writeFileSync(join(dataDir, "git"), "a file");
        return { source: repositoryWith(FACTORY).url, dataDir };
      },
      {
        code: "GIT_UNREACHABLE",
        message: /cannot be written: .*Give the server's user write access to it/,
      },
    ],
    [
      "a mounted secret that cannot be read",
      async () => {
        const settings = `secrets: { CI_SECRET: { file: "${aFolder()}" } }\n`;
        return {
          source: folderWith(FILES),
          args: ["--config", join(folderWith({ "m.yaml": settings }), "m.yaml")],
        };
      },
      {
        code: "RECONCILE_FAILED",
        message: /could not be applied: the secret file .* is not a regular file.*retry/i,
      },
    ],
  ])("%s", async (_, given, expected) => {
    const { source, ...options } = await given();
    const server = await startServer({ sources: [source], ...options });
    const failed = await waitFor(async () => {
      const { sync } = await storyOf(server).factory();
      return sync.status === "failed" ? sync : undefined;
    });
    expect(failed.problems).toEqual([
      expect.objectContaining({ code: expected.code, message: expect.stringMatching(expected.message) }),
    ]);
    const { code } = await run(["sync"], { MILLRACE_SERVER: server.url, MILLRACE_API_KEY: ADMIN_KEY });
    expect(code).toBe(1);
  });
});

test("a source that is not there at the start was attempted, and counts as read once it could be", async () => {
  let isThere = false;
  const { factories, uid, goOn } = await factoriesThatWait(FACTORY, { isThere: () => isThere });
  const factory = () => factories.list()[0];
  await vi.waitFor(() => expect(factory()?.wasAttempted).toBe(true), 5_000);
  expect(factory()?.wasRead).toBe(false);
  isThere = true;
  const synced = factories.get(uid).sync();
  await goOn(1);
  await synced;
  expect(factory()?.wasRead).toBe(true);
});

describe("a secret that is set", () => {
  test("while a pass that has missed it goes on is seen by the next one", async () => {
    const { factories, vault, waits, goOn, sync } = await factoriesThatWait(FILES);
    await waits(1);
    await vault.set("CI_SECRET", "x", SHARED, undefined);
    reconcileSharedSecret("CI_SECRET", factories);
    await goOn(1);
    await goOn(2);
    await vi.waitFor(() => expect(sync()?.status).toBe("synced"), 5_000);
  });

  test("after a pass that went well is not taken up by itself", async () => {
    const { factories, vault, goOn, sync } = await factoriesThatWait(FACTORY);
    await goOn(1);
    await vi.waitFor(() => expect(sync()?.status).toBe("synced"), 5_000);
    const before = sync();
    await vault.set("CI_SECRET", "x", SHARED, undefined);
    reconcileSharedSecret("CI_SECRET", factories);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(sync()).toEqual(before);
  });
});
