import type { Page } from "playwright-core";
import { afterEach, describe, expect, test } from "vitest";
import { serverWithAgent } from "../given/agent.ts";
import {
  DESK,
  openBrowser,
  overflow,
  PHONE,
  picture,
  signedIn,
  violations,
  visitorsTo,
} from "../given/browser.ts";
import { sharedByFile } from "../given/cleanup.ts";
import { serveManaged } from "../given/managed.ts";
import { startServer, waitFor } from "../given/server.ts";
import { TELLS_USAGE, tellingHarness } from "../given/telling-harness.ts";

const QUESTION = `The migration drops **${"a column that has data, ".repeat(60)}**. Shall I go on?`;
const PULL_REQUEST = "https://git.example.com/acme/shop/pull/7";
const ANSWER = `# What I did

Fixed \`cart.ts\`, see [the log](https://ci.example.com/log/7) and [this](javascript:alert(1)).
<img src=x onerror="globalThis.broken = true">

- [x] tests
- 2 &lt; 3
`;

/** Does as its prompt says: delivers a pull request and an answer, fails, asks, or stays. */
const AGENT = `
  import { mkdirSync, readFileSync, writeFileSync, writeSync } from "node:fs";
  const { MILLRACE_API_URL: url, MILLRACE_RUN_ID: id, MILLRACE_RUN_TOKEN: token } = process.env;
  const headers = { authorization: "Bearer " + token, "content-type": "application/json" };
  const post = (path, body) =>
    fetch(url + "/api/v1/agent/runs/" + id + path, { method: "POST", headers, body: JSON.stringify(body) });
  const prompt = readFileSync(0, "utf8");
  if (prompt.includes("Stay.")) setInterval(() => {}, 1000);
  else if (prompt.includes("Ask.")) await post("/blocked", { message: ${JSON.stringify(QUESTION)} });
  else if (prompt.includes("Fail.")) {
    for (let line = 1; line <= 400; line += 1) writeSync(1, "compiling file " + line + "\\n");
    writeSync(1, "\\u001b[31merror\\u001b[0m src/cart.ts:14 does not compile\\n");
    for (let line = 1; line <= 50; line += 1) writeSync(1, "0 errors in file " + line + "\\n");
    writeSync(2, "\\u001b[97;41m FAIL \\u001b[0m see https://ci.example.com/log/7.\\n");
    process.exit(2);
  } else {
    await post("/artifacts", { artifact_type: "PULL_REQUEST", data: { url: "${PULL_REQUEST}", branch: "fix" } });
    await post("/artifacts", { artifact_type: "EXTERNAL_REFERENCE", data: { url: "https://t.example.com/7", title: "Ticket 7" } });
    mkdirSync("artifacts");
    writeFileSync("artifacts/answer.md", ${JSON.stringify(ANSWER)});
    console.log("Looked at https://ci.example.com/a?b=(c), javascript:alert(1) and file:///etc/passwd.");
    console.log("\\u001b[30;42mgreen ground\\u001b[0m \\u001b[48;5;208morange ground\\u001b[0m \\u001b[48;2;10;20;30mnight\\u001b[0m");
  }`;

const shared = sharedByFile(async () => {
  const [given, browser] = await Promise.all([
    serverWithAgent(AGENT, { env: { MILLRACE_RUN_CONCURRENCY: "1" } }),
    openBrowser(),
  ]);
  const { start, story } = given;
  const finish = async (prompt: string) => {
    const id = await start({ prompt, title: `Please: ${prompt}` });
    await story.ended(id);
    return id;
  };
  const succeeded = await finish("Deliver.");
  const failed = await finish("Fail.");
  const blocked = await start({ prompt: "Ask.", title: "Drop the unused column" });
  await waitFor(async () => {
    const { state, is_sandbox_running } = await story.run(blocked);
    return state === "BLOCKED" && !is_sandbox_running;
  });
  const working = await start({ prompt: "Stay." });
  const queued = await start({ prompt: "Deliver.", title: "Wait for a worker" });
  const desk = await signedIn(browser, given.server);
  return { runs: { succeeded, failed, blocked, working, queued }, browser, server: given.server, desk };
});

afterEach(() => expect(shared().desk.misdeeds).toEqual([]));

type Name = "succeeded" | "failed" | "blocked" | "queued";

async function open(name: Name, size = DESK, tab = ""): Promise<Page> {
  const { desk, runs } = shared();
  await desk.page.setViewportSize(size);
  await desk.page.goto(`/runs/${runs[name]}${tab && `?tab=${tab}`}`);
  await desk.page.getByRole("tab", { name: /^Conversation [1-9]/ }).waitFor();
  return desk.page;
}

describe("the page of a run is accessible, at a desk and on a phone, in light and dark", () => {
  test.each<Name>(["succeeded", "failed", "blocked", "queued"])("%s", async (name) => {
    for (const [size, place] of [
      [DESK, "desk"],
      [PHONE, "phone"],
    ] as const) {
      const page = await open(name, size);
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await violations(page)).toEqual([]);
        await picture(page, `run-${name}-${place}-${colorScheme}`);
      }
      expect(await overflow(page)).toBeLessThanOrEqual(0);
    }
  });
});

describe("the result comes first", () => {
  test("with the pull request, the links, the files and the answer, whose HTML stays a text", async () => {
    const page = await open("succeeded");
    const result = page.getByRole("region", { name: "Result" });
    const linksOf = (name: string) => result.getByRole("list", { name }).getByRole("link").allInnerTexts();
    expect(await linksOf("Pull requests")).toEqual(["acme/shop#7"]);
    expect(await linksOf("Artifacts")).toEqual(["Ticket 7"]);
    await result.getByText("answer.md").click();
    await result.getByRole("link", { name: "Download" }).waitFor();
    const answer = result.getByRole("region", { name: "Answer" });
    await answer.getByRole("heading", { name: "What I did" }).waitFor();
    expect(await answer.innerText()).toContain('<img src=x onerror="globalThis.broken = true">');
    expect(await answer.innerText()).toContain("2 < 3");
    expect(await answer.getByRole("link").count()).toBe(1);
    expect(await bottomOf(result.getByRole("link", { name: "acme/shop#7" }))).toBeLessThan(DESK.height);
  });

  test("and a failed run says why, with the last lines that say so", async () => {
    const page = await open("failed");
    const result = page.getByRole("region", { name: "Result" });
    await result.getByText("agent_process_failed").waitFor();
    const lines = result.getByRole("region", { name: "Last error lines" });
    await lines.getByText("src/cart.ts:14 does not compile").waitFor();
    expect(await lines.innerText()).not.toContain("0 errors");
    expect(await lines.getByRole("link").getAttribute("href")).toBe("https://ci.example.com/log/7");
  });

  test("and what few look for is folded away, and stays open in the tab once it is opened", async () => {
    const page = await open("succeeded", DESK, "trace");
    expect(await page.getByText("Turn 1").count()).toBe(0);
    await page.getByRole("heading", { name: "Timeline" }).click();
    await page.getByText("Agent started").waitFor();
    await page.reload();
    await page.getByText("Agent started").waitFor();
    await page.getByRole("tab", { name: "Details" }).click();
    await page.getByRole("heading", { name: "Configuration" }).waitFor();
    expect(await page.getByRole("region", { name: "Configuration" }).count()).toBe(0);
  });
});

describe("the box for an answer is below its question and in view, and does not move", () => {
  test.each([
    ["at a desk", DESK],
    ["on a phone", PHONE],
  ])("%s", async (_, size) => {
    const { desk, runs } = shared();
    const { page } = desk;
    await page.setViewportSize(size);
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route("**/conversation?*", async (route) => {
      await released;
      await route.continue();
    });
    await page.goto(`/runs/${runs.blocked}`);
    const box = page.getByLabel("Your answer");
    await box.waitFor();
    const before = await box.boundingBox();
    release();
    await page.getByRole("tab", { name: "Conversation 2" }).waitFor();
    await page.unroute("**/conversation?*");
    expect(await box.boundingBox()).toEqual(before);
    const question = page.getByRole("region", { name: "Question", exact: true });
    expect(await bottomOf(question)).toBeLessThan(await topOf(box));
    expect((await topOf(box)) - (await bottomOf(question))).toBeLessThan(120);
    expect(await bottomOf(page.getByRole("button", { name: "Send" }))).toBeLessThanOrEqual(size.height);
    expect(await page.evaluate("window.scrollY")).toBe(0);
  });
});

describe("a transcript", () => {
  test("has links to web addresses only, which know nothing of the page", async () => {
    const page = await open("succeeded", DESK, "trace");
    const log = page.getByRole("log");
    await log.getByText("green ground").waitFor();
    const links = await log.getByRole("link").all();
    expect(links).toHaveLength(1);
    expect(await links[0]?.getAttribute("href")).toBe("https://ci.example.com/a?b=(c)");
    expect(await links[0]?.getAttribute("rel")).toBe("noopener noreferrer");
    expect(await links[0]?.getAttribute("target")).toBe("_blank");
  });

  test("has the grounds of a terminal", async () => {
    const page = await open("succeeded", DESK, "trace");
    const groundOf = (text: string) =>
      page
        .getByRole("log")
        .getByText(text, { exact: true })
        .evaluate((part) => (globalThis as unknown as Styled).getComputedStyle(part).backgroundColor);
    const grounds = await Promise.all(["green ground", "orange ground", "night"].map(groundOf));
    expect(new Set([...grounds, "rgba(0, 0, 0, 0)"]).size).toBe(4);
  });

  test("of a failed run is open at its end, and goes from one error to the one before", async () => {
    const page = await open("failed", DESK, "trace");
    const log = page.getByRole("log");
    await log.getByText("FAIL", { exact: true }).waitFor();
    expect(await log.getByText("compiling file 1", { exact: true }).count()).toBe(0);
    await page.getByText("2 errors").waitFor();
    await page.getByRole("button", { name: "Previous error" }).click();
    await page.getByText("2 of 2").waitFor();
    await page.getByRole("button", { name: "Previous error" }).click();
    await page.getByText("1 of 2").waitFor();
    await log.getByText("src/cart.ts:14 does not compile").waitFor();
  });

  test("is one of the views of a run, and the address names the one that was chosen", async () => {
    const page = await open("failed", PHONE);
    await page.getByRole("region", { name: "Result" }).waitFor();
    await page.getByRole("tab", { name: "Trace" }).click();
    const transcript = page.getByRole("region", { name: "Transcript" });
    await transcript.getByText("FAIL", { exact: true }).waitFor();
    await page.reload();
    await transcript.waitFor();
    await page.getByRole("tab", { name: "Conversation" }).click();
    await page.getByRole("region", { name: "Conversation" }).getByText("Fail.").waitFor();
    expect(new URL(page.url()).searchParams.get("tab")).toBe("conversation");
  });
});

test("a blocked agent is answered in two clicks from the overview", async () => {
  const { desk, runs } = shared();
  const { page } = desk;
  await page.setViewportSize(DESK);
  await page.goto("/");
  await page.getByRole("link", { name: "Drop the unused column" }).first().click();
  await page.getByLabel("Your answer").fill("Yes.");
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByText("The run continues with another turn.").waitFor();
  expect(page.url()).toContain(runs.blocked);
});

/** What a page has and these tests do not. */
interface Styled {
  getComputedStyle(element: unknown): { backgroundColor: string };
}

type Located = ReturnType<Page["getByRole"]>;

async function topOf(part: Located): Promise<number> {
  return (await part.boundingBox())?.y ?? Number.NaN;
}

async function bottomOf(part: Located): Promise<number> {
  const { y = Number.NaN, height = Number.NaN } = (await part.boundingBox()) ?? {};
  return y + height;
}

/** Writes what claude writes while it works, and what it would not. */
const WORKS = `
  const say = (event) => console.log(JSON.stringify(event));
  const said = (...content) => say({ type: "assistant", message: { content } });
  const answered = (id, content, is_error) =>
    say({ type: "user", message: { content: [{ type: "tool_result", tool_use_id: id, content, is_error }] } });
  said({ type: "thinking", thinking: "A secret thought" }, { type: "text", text: "I **look** at [it](https://a.example) <b>now</b>." });
  said({ type: "tool_use", id: "t1", name: "Bash", input: { command: "npm test" } });
  answered("t1", "\\u001b[32mall passed\\u001b[0m");
  said({ type: "tool_use", id: "t2", name: "<img src=x>", input: { path: "a", text: "b" } });
  answered("t2", "no such file", true);
  said({ type: "tool_use", id: {}, name: ["forged"], input: null }, null, { type: "text", text: { forged: true } });
  console.log("no event");
  console.error("a warning of the program");
  say({ type: "result", subtype: "success", result: "Done.", total_cost_usd: 0.25, duration_ms: 61_000, usage: { input_tokens: 1_200 } });`;

test("the work of a harness is shown in steps, folded, with its cost at the end, and the text beside it", async () => {
  const [{ run, server }, browser] = await Promise.all([
    serverWithAgent("", { args: tellingHarness("claude", WORKS) }),
    openBrowser(),
  ]);
  const { run_id } = await run({ config: { harness: { type: "told" } } });
  const { page, misdeeds } = await signedIn(browser, server, { viewport: { width: 1440, height: 900 } });
  await page.goto(`/runs/${run_id}?tab=trace`);
  const steps = page.getByRole("log", { name: "Steps" });
  await steps.getByText("look", { exact: true }).waitFor();
  expect(await steps.innerText()).toContain("<b>now</b>");
  expect(await steps.getByRole("link").getAttribute("rel")).toBe("noopener noreferrer");
  // Folded: thoughts, inputs and results.
  expect(await steps.getByText("A secret thought").nth(1).isVisible()).toBe(false);
  expect(await steps.getByText("all passed").isVisible()).toBe(false);
  await steps.getByText("Bash", { exact: true }).click();
  await steps.getByText("all passed").waitFor();
  await steps.getByText("<img src=x>", { exact: true }).waitFor();
  // Of the input of a call, its title has what it is about.
  expect(await steps.locator("summary", { hasText: "<img src=x>" }).innerText()).toMatch(
    /<img src=x>\s+a\s*$/,
  );
  await steps.getByText("failed", { exact: true }).waitFor();
  await steps.getByText("1 min 1 s · 1,200 tokens · $0.2500").waitFor();
  for (const text of ["no event", "a warning of the program", '["forged"]'])
    await steps.getByText(text).waitFor();
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await violations(page)).toEqual([]);
    await picture(page, `run-steps-desk-${colorScheme}`);
  }
  await page.getByLabel("Search the transcript").fill("such file");
  await page.getByText("1 of 1").waitFor();
  await page.getByLabel("Search the transcript").fill("");
  await page.getByText("1 failed step", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Next failed step" }).click();
  await page.getByText("1 of 1").waitFor();
  await page.getByRole("button", { name: "Text", exact: true }).click();
  await page.getByRole("log", { name: "Transcript" }).getByText("> Bash").waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole("button", { name: "Steps", exact: true }).click();
  await steps.getByText("look", { exact: true }).waitFor();
  expect(await overflow(page)).toBeLessThanOrEqual(0);
  expect(await violations(page)).toEqual([]);
  expect(misdeeds).toEqual([]);
});

describe("of runs that say what they have used", () => {
  const using = sharedByFile(() =>
    serverWithAgent("process.exit(3)", { args: tellingHarness("claude", TELLS_USAGE) }),
  );
  const visit = visitorsTo(using);
  const told = { config: { harness: { type: "told" } } };

  test("the page shows what its agent answered, and what its models were used for and cost", async () => {
    const { run_id } = await using().run(told);
    const page = await visit({ path: `/runs/${run_id}` });
    await page.getByRole("region", { name: "Answer" }).getByText("Done.", { exact: true }).waitFor();
    await page.getByRole("tab", { name: "Details" }).click();
    const factOf = (name: string) =>
      page.locator("dt", { hasText: name }).locator("xpath=following-sibling::dd[1]").innerText();
    expect(await factOf("Tokens (opus)")).toBe("15 in (10 cached), 2 out");
    expect(await factOf("Cost")).toBe("$0.2500");
  });

  test("a family shows what each has cost, and all of them together", async () => {
    const { run } = using();
    const root = await run({ ...told, title: "Hand it out" });
    await run({ ...told, title: "Implement it", parent_run_id: root.run_id });
    await run({ title: "Review it", parent_run_id: root.run_id });
    const page = await visit({ path: `/runs/${root.run_id}?tab=trace` });
    await page.getByText("3 runs · all ended · $0.50").waitFor();
    const rows = page.getByRole("region", { name: "Runs of the family" }).getByRole("listitem");
    await rows.filter({ hasText: "Implement it" }).getByText("$0.25").last().waitFor();
    const failed = rows.filter({ hasText: "Review it" }).last();
    await failed.getByText("FAILED").waitFor();
    expect(await failed.getByText("$").count()).toBe(0);
    await page.getByRole("tab", { name: "Details" }).click();
    await page.getByText("Cost with children").waitFor();
    const costs = page.locator("dt", { hasText: "Cost" }).locator("xpath=following-sibling::dd[1]");
    expect(await costs.allInnerTexts()).toEqual(["$0.2500", "$0.5000"]);
  });
});

const LONG_MS = 25_000;

test("a page says that live updates are disconnected, and shows what it missed when they reconnect", async () => {
  const [{ server }, browser] = await Promise.all([serveManaged(), openBrowser()]);
  const { page } = await signedIn(browser, server);
  await page.goto("/factories/default/webhooks");
  await page.getByText("No webhooks yet").waitFor();
  await server.stop();
  const note = page.getByText("Live updates are disconnected");
  await note.waitFor();
  // What was there can still be read.
  expect(await page.getByText("No webhooks yet").count()).toBe(1);
  const again = await startServer({
    sources: [],
    dataDir: server.dataDir,
    env: { MILLRACE_LISTEN: new URL(server.url).host },
  });
  await again.api("POST", "/factories/default/webhooks", { name: "missed" });
  await note.waitFor({ state: "detached", timeout: LONG_MS });
  await page.getByRole("link", { name: "missed" }).waitFor({ timeout: LONG_MS });
});
