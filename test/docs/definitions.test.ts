import { expect, test } from "vitest";
import { filesShownIn, pages } from "../given/browser.ts";
import { FACTORY, load } from "../given/definition.ts";
import { folderWith } from "../given/folder.ts";
import { run } from "../given/server.ts";

const isOfDefinition = (path: string) =>
  /^(factory\.yaml|(agents|automations|outbound|webhooks|runners)\/)/.test(path);

const shown = pages().map((page) => ({ page, files: filesShownIn(page) }));

test("the pages show definitions", () => {
  expect(shown.filter(({ files }) => Object.keys(files).some(isOfDefinition)).length).toBeGreaterThan(8);
});

test.each(shown.filter(({ files }) => Object.keys(files).some(isOfDefinition)))(
  "the definition that $page shows is valid, and its tests of filters pass",
  async ({ files }) => {
    const definition = Object.fromEntries(Object.entries(files).filter(([path]) => isOfDefinition(path)));
    const isOutbound = Object.keys(definition).some((path) => path.startsWith("outbound/"));
    const { problems } = await load({ ...(isOutbound ? FACTORY : {}), ...definition });
    expect(problems.filter(({ severity }) => severity !== "notice")).toEqual([]);
  },
);

test.each(shown.filter(({ files }) => "millrace.yaml" in files))(
  "the settings that $page shows are taken",
  async ({ files }) => {
    const folder = folderWith({ "millrace.yaml": files["millrace.yaml"] ?? "" });
    const { code, said } = await run(["serve", "--print-config", "--config", `${folder}/millrace.yaml`]);
    expect([code, said]).toEqual([0, ""]);
  },
);
