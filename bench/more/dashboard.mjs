// `npm run bench:more -- dashboard`: how long a page of the dashboard takes until its data is there and a click on it works, in a
// Chromium that has never been there. BENCH_ROUNDS, BENCH_RUNS choose counts.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { report, scratchFolder, timed } from "../given/measure.mjs";
import { ADMIN_KEY, startServer } from "../given/server.mjs";

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 7);
const RUNS = Number(process.env.BENCH_RUNS ?? 1_000);
const GOAL_MS = 1_000;
const PAGES = [
  ["Overview", "/", "Latest runs"],
  ["Runs", "/runs", `Run ${RUNS - 1}`],
];

const source = fileURLToPath(new URL("../../examples/smallest", import.meta.url));
const server = await startServer([source], { dataDir: scratchFolder("dashboard") });
for (let n = 0; n < RUNS; n += 1) {
  await server.api("POST", "/agent/runs", { prompt: "Nothing.", title: `Run ${n}` });
}
const executablePath = execFileSync("sh", ["-c", "command -v chromium"], { encoding: "utf8" }).trim();
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
const rows = [];
for (const [title, path, shown] of PAGES) {
  const samples = [];
  for (let n = 0; n < ROUNDS; n += 1) samples.push(await openFirst(path, shown));
  rows.push({ name: `${title}: its data is there, and a link answers`, samples, unit: "ms", goal: GOAL_MS });
}
await browser.close();
await server.stop();
report(`Dashboard, first visit with ${RUNS} runs stored`, rows);

/** A page in a browser without a cache, whose person is signed in. */
async function openFirst(path, shown) {
  const context = await browser.newContext({ baseURL: server.url });
  const page = await context.newPage();
  await context.request.post("/session", {
    data: { api_key: ADMIN_KEY },
    headers: { "sec-fetch-site": "same-origin" },
  });
  const passed = await timed(async () => {
    await page.goto(path, { waitUntil: "commit" });
    await page.getByText(shown, { exact: true }).first().waitFor();
    await page.getByRole("link", { name: "Settings" }).click();
    await page.waitForURL("**/settings");
  });
  await context.close();
  return passed;
}
