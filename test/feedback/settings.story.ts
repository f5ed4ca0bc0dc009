import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { FACTORY } from "../given/definition.ts";
import { folderWith, temporaryFolder } from "../given/folder.ts";
import { repositoryWith } from "../given/repository.ts";
import { failToStart, run } from "../given/server.ts";

const TOKEN = { token: { env: "GITHUB_TOKEN" } };
const ENV = { GITHUB_TOKEN: "a-token-that-nobody-should-see" };

/** The settings file of a server with these factories. */
function configOf(...factories: object[]): string {
  const file = join(temporaryFolder(), "millrace.yaml");
  writeFileSync(file, JSON.stringify({ dataDir: join(temporaryFolder(), "data"), factories }));
  return file;
}

const aFactory = (github: object, source = repositoryWith(FACTORY).url) => ({ source, github });

const refused = async (...factories: object[]) => {
  const { code, said } = await failToStart(["--config", configOf(...factories)], ENV);
  expect(code).toBeGreaterThan(0);
  expect(said).not.toContain(ENV.GITHUB_TOKEN);
  return said;
};

describe("a server does not start with a github: that", () => {
  test("has a credential and an API that it would go to in the clear", async () => {
    const github = { repository: "acme/factory", api: "http://git.example.com/api/v3", ...TOKEN };
    expect(await refused(aFactory(github))).toContain("credentials are sent only over https");
    const withUser = { ...github, api: "https://ann:secret@git.example.com/api/v3" };
    expect(await refused(aFactory(withUser))).toContain("expected a URL without a user");
  });

  test("belongs to a folder", async () => {
    const github = { repository: "acme/factory", ...TOKEN };
    expect(await refused(aFactory(github, folderWith(FACTORY)))).toContain("no pull requests");
  });

  test("two factories of one repository have with one name for their checks", async () => {
    const github = { repository: "acme/factory", ...TOKEN };
    const other = { ...github, repository: "Acme/Factory" };
    expect(await refused(aFactory(github), aFactory(other))).toContain("one would overwrite the other");
    const spelledOut = { ...github, api: "https://api.github.com/" };
    expect(await refused(aFactory(github), aFactory(spelledOut))).toContain("one would overwrite the other");
  });

  test.each([
    ["has no credential", { repository: "acme/factory" }],
    [
      "has two credentials",
      { repository: "acme/factory", ...TOKEN, app: { id: 1, privateKey: { env: "X" } } },
    ],
    ["says its token itself", { repository: "acme/factory", token: "a-token-that-nobody-should-see" }],
    ["names no repository", { repository: "factory", ...TOKEN }],
    ["leads out of the repository", { repository: "acme/..", ...TOKEN }],
  ])("%s", async (_, github) => {
    expect(await refused(aFactory(github))).toContain("millrace.yaml is not valid");
  });
});

test("the settings are printed with the places of credentials, and without their values", async () => {
  const config = configOf(aFactory({ repository: "acme/factory", ...TOKEN }));
  const { code, printed } = await run(["serve", "--print-config", "--config", config], ENV);
  expect(code).toBe(0);
  expect(printed).toContain('"github":{"repository":"acme/factory","token":{"env":"GITHUB_TOKEN"}}');
  expect(printed).not.toContain(ENV.GITHUB_TOKEN);
});
