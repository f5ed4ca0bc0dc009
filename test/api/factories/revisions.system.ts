import { describe, expect, test } from "vitest";
import { aKey, ask } from "../../given/ask.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { FACTORY, withFactoryLines } from "../../given/definition.ts";
import { repositoryWith } from "../../given/repository.ts";
import { startServer } from "../../given/server.ts";
import { twoFactories } from "../../given/serving.ts";
import { type Factory, storyOf } from "../../given/story.ts";

interface Standing {
  state: string;
  applied_revision: string;
  problems: { code: string }[];
}

/** A history of four commits: applied, refused, applied, and one more that contains the third. */
async function fourCommits() {
  const repository = repositoryWith(FACTORY);
  const first = repository.git("rev-parse", "HEAD");
  const server = await startServer({ sources: [repository.url] });
  const story = storyOf(server);
  await story.sync();
  const broken = repository.push({ "factory.yaml": "name: [" }, { message: "Break it" });
  await story.sync();
  const third = repository.push(withFactoryLines("description: third\n"));
  const fourth = repository.push({ "a.txt": "4" });
  await story.sync();
  const standing = (commit: string, wait = "1ms") =>
    server.api<Standing>("GET", `/factories/acme/commits/${commit}?wait=${wait}`);
  return { repository, server, story, first, broken, third, fourth, standing };
}

const stage = sharedByFile(fourCommits);

describe("the history", () => {
  test("reports the author, the changes and the problems of each attempt, and who or what asked for it", async () => {
    const { server, broken, first, fourth } = stage();
    const { revisions } = await server.api<{ revisions: object[] }>("GET", "/factories/acme/revisions");
    expect(revisions).toMatchObject([
      {
        revision: fourth,
        outcome: "applied",
        is_in_force: true,
        author: "Ann <ann@example.com>",
        changes: [{ action: "update", kind: "factory", name: "", fields: ["description"] }],
        asked_by: { reason: "sync", principal: { display_name: "admin", type: "user" } },
      },
      {
        revision: broken,
        outcome: "failed",
        is_in_force: false,
        message: "Break it",
        changes: [],
        problems: [{ code: "FF_INVALID_YAML", severity: "error" }],
      },
      { revision: first, outcome: "applied", is_in_force: false, message: "Begin" },
    ]);
  });

  test("gives the files of each attempted commit, also of refused ones, and of no other commit", async () => {
    const { server, broken, first, third, fourth } = stage();
    const filesOf = async (query: string) => {
      const { status, body } = await ask<{ revision: string; files: { path: string; content: string }[] }>(
        server,
        "GET",
        `/factories/acme/export${query}`,
      );
      const text = body.files?.find(({ path }) => path === "factory.yaml")?.content;
      return { status, revision: body.revision, text };
    };
    expect(await filesOf(`?revision=${broken}`)).toEqual({ status: 200, revision: broken, text: "name: [" });
    expect(await filesOf(`?revision=${first}`)).toMatchObject({ text: FACTORY["factory.yaml"] });
    expect(await filesOf("")).toMatchObject({ revision: fourth });
    // It is in the repository, and nobody has looked at it by itself.
    expect(await filesOf(`?revision=${third}`)).toMatchObject({ status: 404 });
    expect(await filesOf(`?revision=${broken.slice(0, 10)}`)).toMatchObject({ status: 404 });
    expect(await filesOf("?revision=HEAD")).toMatchObject({ status: 400 });
  });

  test("is paged, and the next page begins where the last one ended", async () => {
    const { server } = stage();
    const seen: string[] = [];
    let cursor = "";
    for (let page = 0; page < 3; page += 1) {
      const answer = await server.api<{ revisions: { id: string }[]; page_info: { next_cursor?: string } }>(
        "GET",
        `/factories/acme/revisions?limit=1${cursor}`,
      );
      seen.push(...answer.revisions.map(({ id }) => id));
      cursor = `&cursor=${answer.page_info.next_cursor}`;
    }
    expect(new Set(seen).size).toBe(3);
    expect(cursor).toBe("&cursor=undefined");
    expect((await ask(server, "GET", "/factories/acme/revisions?cursor=made-up")).status).toBe(400);
  });
});

describe("a commit", () => {
  test("is active when it is applied, or when a later applied one contains it, and is pending when it is in neither", async () => {
    const { first, broken, third, fourth, standing } = stage();
    expect((await standing(fourth)).state).toBe("in_force");
    expect((await standing(third.slice(0, 7))).state).toBe("in_force");
    expect((await standing(first)).state).toBe("in_force");
    // It stands in the branch, so what it said was undone by what is active.
    expect((await standing(broken)).state).toBe("in_force");
    expect((await standing("f".repeat(40))).state).toBe("pending");
    const { server } = stage();
    expect((await ask(server, "GET", "/factories/acme/commits/main")).status).toBe(400);
  });

  test("can be waited on: the answer comes when it is active, refused, or cannot become active", async () => {
    const { repository, server, story, standing } = await fourCommits();
    const good = repository.git("rev-parse", "HEAD");
    const next = repository.push({ "b.txt": "1" });
    const waited = standing(next, "20s");
    await story.sync();
    expect((await waited).state).toBe("in_force");

    const refused = repository.push({ "factory.yaml": "name: [" });
    const told = standing(refused, "20s");
    await story.sync();
    expect(await told).toMatchObject({
      state: "failed",
      applied_revision: next,
      problems: [{ code: "FF_INVALID_YAML" }],
    });

    await server.api("POST", "/factories/acme/rollback", { revision: good });
    expect((await standing(next)).state).toBe("replaced");
    repository.push(withFactoryLines("description: last\n"));
    expect((await standing("e".repeat(40), "20s")).state).toBe("suspended");
    await server.api("POST", "/factories/acme/resume");
  });
});

test("a viewer can neither suspend nor resume nor roll back, and every attempt is in the audit log", async () => {
  const { server } = await twoFactories();
  const [viewer, limited] = [
    await aKey(server, { role: "viewer" }),
    await aKey(server, { role: "operator", factories: ["other"] }),
  ];
  for (const action of ["suspend", "resume", "rollback"]) {
    const body = action === "rollback" ? { revision: "f".repeat(40) } : undefined;
    const call = (key: string, factory: string) =>
      ask(server, "POST", `/factories/${factory}/${action}`, { key, ...(body ? { body } : {}) });
    expect((await call(viewer, "acme")).status).toBe(403);
    expect((await call(limited, "acme")).status).toBe(404);
    expect((await call(limited, "other")).status).toBe(action === "rollback" ? 404 : 200);
  }
  for (const path of ["revisions", "commits/1234567"]) {
    expect((await ask(server, "GET", `/factories/acme/${path}`, { key: viewer })).status).toBe(200);
    expect((await ask(server, "GET", `/factories/acme/${path}`, { key: limited })).status).toBe(404);
  }
  const { audit_log } = await server.api<{
    audit_log: { action: string; status: number; subject: string }[];
  }>("GET", "/audit-log?limit=100");
  const tried = audit_log.filter(({ action }) => /suspend|resume|roll/.test(action));
  expect(tried.map(({ action, status }) => `${action} ${status}`).sort()).toEqual([
    "resumeFactory 200",
    "resumeFactory 403",
    "resumeFactory 404",
    "rollBackFactory 403",
    "rollBackFactory 404",
    "rollBackFactory 404",
    "suspendFactory 200",
    "suspendFactory 403",
    "suspendFactory 404",
  ]);
  const { factories } = await server.api<{ factories: Factory[] }>("GET", "/factories");
  expect(factories.map(({ sync }) => sync.status)).toEqual(["synced", "synced"]);
});
