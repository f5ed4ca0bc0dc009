import { expect, test } from "vitest";
import { FACTORY, withFactoryLines } from "../../given/definition.ts";
import { folderWith } from "../../given/folder.ts";
import { type ObjectFormat, repositoryWith } from "../../given/repository.ts";
import { ADMIN_KEY, run, startServer } from "../../given/server.ts";
import { runAtTerminal } from "../../given/shell.ts";
import { storyOf } from "../../given/story.ts";

async function stage(files = FACTORY, format?: ObjectFormat) {
  const repository = repositoryWith(files, format);
  const first = repository.git("rev-parse", "HEAD");
  const server = await startServer({ sources: [repository.url] });
  const story = storyOf(server);
  await story.sync();
  const env = { MILLRACE_SERVER: server.url, MILLRACE_API_KEY: ADMIN_KEY };
  const atTerminal = (typed: string, ...args: string[]) => runAtTerminal(args, env, { columns: 200, typed });
  const millrace = async (...args: string[]) => {
    // One command after the other, as somebody types them: `wait` reports what is active before the sync that `resume` asks for.
    const { code, said, printed } = await run(args, env, "", { ownProcess: true });
    return { code, said: said + printed };
  };
  return { repository, first, story, millrace, atTerminal };
}

test.each(["sha1", "sha256"] as const)(
  "suspend, rollback, history and resume of %s work together as commands",
  async (format) => {
    const { repository, first, story, millrace } = await stage(FACTORY, format);
    const second = repository.push(withFactoryLines("description: second\n"), { message: "Say more" });
    await story.sync();

    expect(await millrace("suspend")).toEqual({
      code: 0,
      said: expect.stringContaining(`Suspended acme at ${second.slice(0, 12)}`),
    });
    expect(await millrace("sync")).toEqual({ code: 6, said: expect.stringContaining("millrace resume") });
    expect(await millrace("status")).toEqual({ code: 0, said: expect.stringMatching(/status: +suspended/) });
    const back = await millrace("rollback", "acme", "--to", first.slice(0, 9));
    expect(back).toEqual({
      code: 0,
      said: expect.stringMatching(new RegExp(`applied: +${first.slice(0, 12)}`)),
    });

    const { said } = await millrace("history");
    expect(said).toMatch(new RegExp(`${first.slice(0, 12)} .* active +rollback \\(admin\\) +~1 +Begin`));
    expect(said).toMatch(new RegExp(`${second.slice(0, 12)} .* applied +sync \\(admin\\) +~1 +Say more`));
    expect((await millrace("history", "--full", "--limit", "1")).said).toContain(
      "update factory (description)",
    );
    expect(JSON.parse((await millrace("history", "--json", "--limit", "2")).said)).toMatchObject([
      { revision: first },
      { revision: second },
    ]);

    expect((await millrace("resume")).code).toBe(0);
    expect((await millrace("wait", "--commit", second, "--timeout", "20s")).code).toBe(0);
    expect((await millrace("rollback", "--to", "f".repeat(40))).code).toBe(5);
    expect((await millrace("rollback")).code).toBe(2);
  },
);

test("a rollback at a terminal shows the plan and asks, and --yes does not ask", async () => {
  const { repository, first, story, atTerminal } = await stage();
  const second = repository.push(withFactoryLines("description: second\n"));
  await story.sync();
  const refused = await atTerminal("n\n", "rollback", "--to", first);
  expect(refused.code).toBe(0);
  expect(refused.shown).toContain(`Plan for acme at ${first.slice(0, 12)}:`);
  expect(refused.shown).toContain("~ factory (description)");
  expect(refused.shown).toContain(`Roll acme back to ${first.slice(0, 12)} and suspend it? [y/N]`);
  expect(refused.shown).toContain("Nothing was changed.");
  expect((await story.factory()).sync.applied_revision).toBe(second);
  const agreed = await atTerminal("y\n", "rollback", "--to", first);
  expect([agreed.code, agreed.shown]).toEqual([0, expect.stringContaining("suspended")]);
  expect((await story.factory()).sync.applied_revision).toBe(first);
  const decided = await atTerminal("", "rollback", "--to", second, "--yes");
  expect([decided.code, decided.shown]).toEqual([0, expect.not.stringContaining("[y/N]")]);
  expect((await story.factory()).sync.applied_revision).toBe(second);
});

test("wait ends with 0 when a commit is active, 1 when it was refused, 2 when it is not a commit, 6 when suspended, 7 when it timed out", async () => {
  const { repository, first, story, millrace } = await stage();
  const wait = (commit: string, timeout: string) =>
    millrace("wait", "--commit", commit, "--timeout", timeout);
  expect(await wait(first, "20s")).toEqual({ code: 0, said: expect.stringContaining("is active") });
  const second = repository.push(withFactoryLines("description: second\n"));
  expect(await wait(second, "10ms")).toEqual({
    code: 7,
    said: expect.stringContaining("Timed out waiting for"),
  });
  const waiting = wait(second, "20s");
  await story.sync();
  expect((await waiting).code).toBe(0);

  const broken = repository.push({ "factory.yaml": "name: [" });
  await story.sync();
  expect(await wait(broken, "20s")).toEqual({ code: 1, said: expect.stringContaining("FF_INVALID_YAML") });
  await millrace("rollback", "--to", first);
  expect(await wait(second, "20s")).toEqual({
    code: 1,
    said: expect.stringContaining("is no longer active"),
  });
  expect((await wait("f".repeat(40), "20s")).code).toBe(6);
  for (const [commit, timeout] of [
    ["main", "20s"],
    [first, "soon"],
  ] as const)
    expect((await wait(commit, timeout)).code).toBe(2);
});

test("a folder for a factory of a repository is refused with what to do instead, also while no revision is active", async () => {
  const { repository, millrace } = await stage({ ...FACTORY, "webhooks/ci.yaml": "secretNam: X\n" });
  const { code, said } = await millrace("import", folderWith(FACTORY));
  expect([code, said]).toEqual([6, expect.stringContaining(`defined in the repository ${repository.url}`)]);
});
