import { join } from "node:path";
import { expect, test } from "vitest";
import { filesShownIn, pages, pageText } from "../given/browser.ts";
import { FACTORY, TOKEN_WEBHOOK } from "../given/definition.ts";
import { type Files, folderWith } from "../given/folder.ts";
import { ADMIN_KEY, PROGRAM, startServer } from "../given/server.ts";
import { blocksOf, pasted } from "../given/shell.ts";
import { storyOf } from "../given/story.ts";

/** Served for pages that show no definition of their own. */
const ANY: Files = { ...FACTORY, "webhooks/ci.yaml": TOKEN_WEBHOOK };
const MILLRACE = `millrace() { ${process.execPath} ${PROGRAM} "$@"; }`;

const howTo = pages().filter(
  (page) => page.startsWith("docs/how-to/") && blocksOf(page, "sh how-to").length > 0,
);

/** A server that serves what a page shows, with the agent that it shows. */
async function serverFor(page: string) {
  const shown = filesShownIn(page);
  const definition = Object.keys(shown).some((path) => path.startsWith("automations/")) ? shown : ANY;
  const folder = folderWith(definition);
  const env = "agent.sh" in shown ? { MILLRACE_AGENT_COMMAND: `sh ${join(folder, "agent.sh")}` } : {};
  const server = await startServer({ sources: [folder], env });
  const story = storyOf(server);
  if (definition === ANY) {
    await story.setSecret("CI_SECRET", "a-secret-of-some-length");
    await story.sync();
  }
  return { folder, server, story };
}

test("there are pages to follow", () => {
  expect(howTo.length).toBeGreaterThan(11);
});

test.each(howTo)(
  "%s can be followed to the letter",
  async (page) => {
    const { folder, server, story } = await serverFor(page);
    const names = {
      MILLRACE_SERVER: server.url,
      MILLRACE_API_KEY: ADMIN_KEY,
      MILLRACE_DATA_DIR: server.dataDir,
    };
    const { code, output } = await pasted([MILLRACE, ...blocksOf(page, "sh how-to")], folder, names);
    expect(code, output).toBe(0);
    expect(output).not.toMatch(/^error/m);
    if (pageText(page).includes("webhooks send")) {
      expect(output).toMatch(/answered 202: delivery/);
      const runs = await story.runs();
      expect(new Set(runs.map(({ state }) => state))).toEqual(new Set(["SUCCEEDED"]));
    }
  },
  90_000,
);

test("a person can reject the text of docs/how-to/factory.md, and its task is cancelled", async () => {
  const page = "docs/how-to/factory.md";
  const { folder, server, story } = await serverFor(page);
  const names = {
    MILLRACE_SERVER: server.url,
    MILLRACE_API_KEY: ADMIN_KEY,
    MILLRACE_DATA_DIR: server.dataDir,
  };
  const commands = blocksOf(page, "sh how-to").map((block) => block.replace('"Approve"', '"Reject"'));
  const { code, output } = await pasted([MILLRACE, ...commands], folder, names);
  expect(code, output).toBe(0);
  expect(output).toContain("The text was rejected.");
  expect(output).toMatch(/^CANCELLED /m);
  expect(new Set((await story.runs()).map(({ state }) => state))).toEqual(new Set(["SUCCEEDED"]));
});

test.each(howTo)("%s sets every variable of a server that its commands use", (page) => {
  const commands = blocksOf(page, "sh how-to").join("\n");
  const used = new Set([...commands.matchAll(/"\$\{?(MILLRACE_DATA_DIR)\b/g)].map(([, name]) => name));
  for (const name of used) expect(commands).toContain(`export ${name}=`);
});
