import { expect, test } from "vitest";
import { serverWithAgent } from "../given/agent.ts";
import { openBrowser, signedIn } from "../given/browser.ts";
import { waitFor } from "../given/server.ts";

/** Asks in each turn whose prompt wants that, and ends. */
const ASKING = `
  import { readFileSync } from "node:fs";
  const { MILLRACE_API_URL: url, MILLRACE_RUN_ID: id, MILLRACE_RUN_TOKEN: token } = process.env;
  const headers = { authorization: "Bearer " + token, "content-type": "application/json" };
  if (readFileSync(0, "utf8").includes("Ask."))
    await fetch(url + "/api/v1/agent/runs/" + id + "/blocked",
      { method: "POST", headers, body: JSON.stringify({ message: "Which <b>one</b>?" }) });`;

async function asked() {
  const [{ start, server, story }, browser] = await Promise.all([serverWithAgent(ASKING), openBrowser()]);
  const id = await start({ prompt: "Ask." });
  await waitFor(async () => {
    const run = await story.run(id);
    return run.state === "BLOCKED" && !run.is_sandbox_running;
  });
  const desk = await signedIn(browser, server);
  await desk.page.goto(`/runs/${id}`);
  return { id, story, ...desk };
}

test("the page of a run shows the question with the box for its answer below it, and both when it is answered", async () => {
  const { page, misdeeds } = await asked();
  const question = page
    .getByRole("region", { name: "Question", exact: true })
    .getByText("Which <b>one</b>?", { exact: true });
  await question.waitFor();
  const box = page.getByLabel("Your answer");
  await box.fill("The second.");
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByText("SUCCEEDED").first().waitFor();
  await page.getByRole("tab", { name: "Conversation" }).click();
  const conversation = page.getByRole("region", { name: "Conversation" });
  await conversation.getByText("The second.", { exact: true }).waitFor();
  await conversation.getByText("Which <b>one</b>?", { exact: true }).waitFor();
  expect(await conversation.getByRole("listitem").count()).toBe(3);
  expect(await question.count()).toBe(0);
  expect(misdeeds).toEqual([]);
});

test("a question is dismissed with a reason, which the page of the run then shows", async () => {
  const { page, misdeeds, id, story } = await asked();
  await page.getByRole("button", { name: "Dismiss", exact: true }).click();
  await page.getByLabel("Reason (optional)").fill("Nobody needs it.");
  await page.getByRole("button", { name: "Dismiss run" }).click();
  await page.getByRole("note").getByText("Nobody needs it.").waitFor();
  await page.getByText("CANCELLED").first().waitFor();
  expect((await story.run(id)).state).toBe("CANCELLED");
  expect(misdeeds).toEqual([]);
});
