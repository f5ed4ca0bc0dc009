import { afterEach, expect, test } from "vitest";
import { acmeServer } from "../given/ask.ts";
import { openBrowser, signedIn } from "../given/browser.ts";
import { sharedByFile } from "../given/cleanup.ts";

const shared = sharedByFile(async () => {
  const [server, browser] = await Promise.all([acmeServer(), openBrowser()]);
  return { server, desk: await signedIn(browser, server) };
});

afterEach(() => {
  expect(shared().desk.misdeeds).toEqual([]);
});

test("an environment is added, changed and deleted", async () => {
  const { server, desk } = shared();
  const { page } = desk;
  await page.goto("/environments");
  await page.getByRole("button", { name: "Add environment" }).click();
  await page.getByLabel("Name").fill("build");
  await page.getByLabel("Repositories").fill("acme/shop\nacme/site");
  await page.getByLabel("Image").fill("not an image");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("dialog").getByRole("alert").getByText("docker_image").waitFor();
  await page.getByLabel("Image").fill("");
  await page.getByLabel("Setup commands").fill("npm ci\nnpm run build");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("acme/shop, acme/site").waitFor();
  await page.getByRole("button", { name: "Edit build" }).click();
  await page.getByLabel("Description").fill("Builds the shop.");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Builds the shop.").waitFor();
  const list = () => server.api<{ environments: { config: object }[] }>("GET", "/agent/environments");
  expect((await list()).environments[0]?.config).toEqual({
    name: "build",
    description: "Builds the shop.",
    github_repos: [
      { owner: "acme", repo: "shop" },
      { owner: "acme", repo: "site" },
    ],
    setup_commands: ["npm ci", "npm run build"],
    secrets: [],
  });
  await page.getByRole("button", { name: "Delete build" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("0 schedules request it").waitFor();
  await dialog.getByLabel("Type build to confirm").fill("build");
  await dialog.getByRole("button", { name: "Delete environment" }).click();
  await page.getByText("No environments yet").waitFor();
  expect((await list()).environments).toEqual([]);
});

test("a schedule is added, changed without losing what the form does not know, and deleted", async () => {
  const { server, desk } = shared();
  const { page } = desk;
  await server.api("POST", "/agent/schedules", {
    name: "nightly",
    cron_schedule: "@daily",
    prompt: "Tidy up.",
    agent_config: { model_id: "opus" },
  });
  await page.goto("/schedules");
  await page.getByRole("button", { name: "Edit nightly" }).click();
  await page.getByLabel("When").fill("no cron");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("dialog").getByRole("alert").waitFor();
  await page.getByLabel("When").fill("0 4 * * *");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("0 4 * * *").waitFor();
  const { schedules } = await server.api<{ schedules: object[] }>("GET", "/agent/schedules");
  expect(schedules[0]).toMatchObject({
    cron_schedule: "0 4 * * *",
    prompt: "Tidy up.",
    agent_config: { model_id: "opus" },
    enabled: true,
  });
  await page.getByRole("button", { name: "Add schedule" }).click();
  await page.getByLabel("Name").fill("weekly");
  await page.getByLabel("Prompt").fill("Look around.");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("link", { name: "weekly" }).waitFor();
  await page.getByRole("button", { name: "Delete nightly" }).click();
  await page.getByRole("button", { name: "Delete schedule" }).click();
  await page.getByText("Deleted nightly.").waitFor();
  expect(await page.getByRole("link", { name: "nightly" }).count()).toBe(0);
});

test("an agent of the server is added, changed and deleted; those of definitions are not", async () => {
  const { server, desk } = shared();
  const { page } = desk;
  await page.goto("/agents");
  await page.getByRole("button", { name: "Add agent without a factory" }).click();
  await page.getByLabel("Name").fill("releaser");
  await page.getByLabel("Secrets").fill("NPM_TOKEN\nSIGN_KEY");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("button", { name: "Edit releaser" }).click();
  expect(await page.getByLabel("Secrets").inputValue()).toBe("NPM_TOKEN\nSIGN_KEY");
  await page.getByLabel("Description").fill("Releases.");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Releases.").waitFor();
  const { agents } = await server.api<{ agents: { name: string }[] }>("GET", "/agent/identities");
  expect(agents.find(({ name }) => name === "releaser")).toMatchObject({
    description: "Releases.",
    secrets: [{ name: "NPM_TOKEN" }, { name: "SIGN_KEY" }],
  });
  expect(await page.getByRole("button", { name: /^Edit/ }).count()).toBe(1);
  await page.getByRole("button", { name: "Delete releaser" }).click();
  await page.getByLabel("Type releaser to confirm").fill("releaser");
  await page.getByRole("button", { name: "Delete agent" }).click();
  await page.getByText("Deleted releaser.").waitFor();
});

test("a change of an environment is refused when somebody else has changed it since the form was opened", async () => {
  const { server, desk } = shared();
  const { page } = desk;
  const { uid } = await server.api<{ uid: string }>("POST", "/agent/environments", { name: "shared" });
  await page.goto("/environments");
  await page.getByRole("button", { name: "Edit shared" }).click();
  await page.getByLabel("Description").fill("Mine.");
  await server.api("PUT", `/agent/environments/${uid}`, { name: "shared", description: "Theirs." });
  await page.getByRole("button", { name: "Save" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("alert").waitFor();
  const { config } = await server.api<{ config: object }>("GET", `/agent/environments/${uid}`);
  expect(config).toMatchObject({ description: "Theirs." });
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await dialog.getByRole("button", { name: "Discard" }).click();
  // Opened again, the form has what is there now.
  await page.getByRole("button", { name: "Edit shared" }).click();
  expect(await page.getByLabel("Description").inputValue()).toBe("Theirs.");
  await page.getByLabel("Description").fill("Both.");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Both.").waitFor();
  await server.api("DELETE", `/agent/environments/${uid}`);
});
