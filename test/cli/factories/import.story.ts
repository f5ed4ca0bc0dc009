import { execFile } from "node:child_process";
import { expect, test } from "vitest";
import { sharedByFile } from "../../given/cleanup.ts";
import { withFactoryLines } from "../../given/definition.ts";
import { folderWith } from "../../given/folder.ts";
import { managedBy, serveManaged } from "../../given/managed.ts";
import { ADMIN_KEY, MILLRACE, run } from "../../given/server.ts";

const kept = sharedByFile(serveManaged);

const environment = () => ({ MILLRACE_SERVER: kept().server.url, MILLRACE_API_KEY: ADMIN_KEY });
const millrace = (...args: string[]) => run(args, environment());

/** A factory with a webhook in force, under a prune guard. */
async function factoryWithWebhook(name: string, guard = "warn") {
  const made = withFactoryLines(`millrace: { pruneGuard: ${guard}, repositories: optional }\n`);
  const files = { ...made, "factory.yaml": String(made["factory.yaml"]).replace("acme", name) };
  await millrace("factories", "create", name);
  const first = await millrace("import", folderWith(files), "--factory", name);
  expect([first.code, first.said]).toEqual([0, expect.any(String)]);
  const factory = managedBy(kept().server, name);
  const { url } = await factory.create({ name: "ci" });
  return { factory, files, url, tip: () => factory.git("rev-parse", "main") };
}

test("an import lists the webhooks that it deletes, with their URLs, and changes nothing until it is confirmed", async () => {
  const { factory, files, url, tip } = await factoryWithWebhook("asked");
  const before = await tip();
  const asked = await millrace("import", folderWith(files), "--factory", "asked");
  expect([asked.code, asked.said]).toEqual([2, expect.stringContaining("--yes")]);
  expect(asked.printed).toMatch(/^ {2}- webhook ci$/m);
  expect(asked.printed).toContain(`${url} will return 404`);
  expect([await tip(), (await factory.webhooks()).length]).toEqual([before, 1]);

  const meant = await millrace("import", folderWith(files), "--factory", "asked", "--yes");
  expect([meant.code, meant.said]).toEqual([0, expect.any(String)]);
  expect(meant.printed).toMatch(/^ {2}- webhook ci$/m);
  expect(await factory.webhooks()).toEqual([]);
});

test("a person at a terminal is asked, and only y goes on", async () => {
  const { factory, files } = await factoryWithWebhook("typed");
  const typed = (answer: string) =>
    atTerminal(["import", folderWith(files), "--factory", "typed"], `${answer}\n`);
  const refused = await typed("n");
  expect([refused.code, refused.shown]).toEqual([1, expect.stringContaining("Nothing was changed.")]);
  expect(await factory.webhooks()).toHaveLength(1);
  expect((await typed("y")).code).toBe(0);
  expect(await factory.webhooks()).toEqual([]);
});

test("what the prune guard stops in a commit it stops in an import too, until the deletions are allowed", async () => {
  const { factory, files, tip } = await factoryWithWebhook("guarded", "block");
  const before = await tip();
  const stopped = await millrace("import", folderWith(files), "--factory", "guarded", "--yes");
  expect([stopped.code, stopped.said]).toEqual([1, expect.stringContaining("--allow-deletes")]);
  const listed = await factory.call<{ files: { path: string; etag: string }[] }>("GET", "/files");
  const webhook = listed.body.files.filter(({ path }) => path === "webhooks/ci.yaml");
  const change = { files: webhook.map(({ path, etag }) => ({ path, etag, content: null })) };
  const refused = await factory.call<{ problems: { code: string }[] }>("POST", "/files", { body: change });
  expect([refused.status, refused.body.problems[0]?.code]).toEqual([400, "PRUNE_GUARD"]);
  expect(await tip()).toBe(before);

  const allowed = ["import", folderWith(files), "--factory", "guarded", "--yes", "--allow-deletes"];
  expect((await millrace(...allowed)).code).toBe(0);
  expect(await factory.webhooks()).toEqual([]);
});

test("an import that takes away no more than a file says which, and asks", async () => {
  const { files, factory } = await factoryWithWebhook("filed");
  const { body } = await factory.call<{ content: string }>("GET", "/files/webhooks%2Fci.yaml");
  const more = { ...files, "webhooks/ci.yaml": body.content };
  await factory.call("PUT", "/files/skills%2Ftidy%2FREADME.md", { body: { content: "Tidy." } });
  const { code, printed } = await millrace("import", folderWith(more), "--factory", "filed");
  expect([code, printed]).toEqual([2, expect.stringContaining("skills/tidy/README.md")]);
});

/** A command at a terminal, with what a person types there. */
async function atTerminal(args: string[], typed: string): Promise<{ code: number; shown: string }> {
  const quoted = [...MILLRACE, ...args].map((word) => `'${word}'`).join(" ");
  return new Promise((resolve) => {
    const child = execFile(
      "script",
      ["--quiet", "--return", "--command", quoted, "/dev/null"],
      { env: { ...process.env, ...environment() } },
      (error, shown) => resolve({ code: typeof error?.code === "number" ? error.code : 0, shown }),
    );
    child.stdin?.write(typed);
  });
}
