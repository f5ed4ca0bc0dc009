import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Models } from "../../src/client/typed-paths.ts";
import { folderWith, temporaryFolder } from "../given/folder.ts";
import { freePort } from "../given/port.ts";
import type { Server } from "../given/server.ts";
import { heldModel, spendingTurn } from "../given/spending-agent.ts";
import { storyOf } from "../given/story.ts";
import {
  aPerson,
  EXAMPLE,
  openWorkshop,
  PROGRAMS,
  reportIssue,
  seeThrough,
  treeOf,
  workshopOptions,
} from "../given/workshop.ts";

/** `npm run prove:factory` asks for many more. */
const KILLS = Number(process.env.CRASHES ?? 3);
const KILLS_OF_AN_ISSUE = 3;
/** How long an issue takes without a kill, about. */
const ISSUE_MS = Number(process.env.ISSUE_MS ?? 8_000);
const USD_PER_CALL = 0.1;

/** The example, whose agents call a model before they do their work, and an automation with a budget that is not used up. */
async function spendingWorkshop() {
  const calls = new Map<string, number>();
  const url = await heldModel((_call, run) => {
    calls.set(run, (calls.get(run) ?? 0) + 1);
    return true;
  }, USD_PER_CALL);
  const source = join(temporaryFolder("millrace-spending"), "factory");
  cpSync(EXAMPLE, source, { recursive: true });
  edit(
    join(source, "factory.yaml"),
    /type: command\n *model: none/,
    "type: spending\n    model: claude-haiku-4-5",
  );
  const automation = join(source, "automations/work-on-issue/automation.md");
  edit(automation, "  task: true\n", "  task: true\n  budget: { usdPerDay: 1000, usdPerRun: 100 }\n");
  const program = join(folderWith({ "agent.mjs": spendingTurn(url, USD_PER_CALL) }), "agent.mjs");
  const spending = {
    command: [process.execPath, program, join(PROGRAMS, "agent.sh"), PROGRAMS],
    output: "claude",
  };
  const options = workshopOptions({ source, settings: { harnesses: { spending } } });
  // Agents go on while the server is away, and find it again.
  return { options: { ...options, env: { MILLRACE_LISTEN: `127.0.0.1:${await freePort()}` } }, calls };
}

function edit(file: string, from: string | RegExp, to: string): void {
  const before = readFileSync(file, "utf8");
  writeFileSync(file, before.replace(from, to));
  expect(readFileSync(file, "utf8")).not.toBe(before);
}

test(`through ${KILLS} kills of the server at random, each run, its family and its automation cost what the model has counted`, async () => {
  const { options, calls } = await spendingWorkshop();
  let server = await openWorkshop(options);
  const roots: string[] = [];
  for (let kills = 0; kills < KILLS; ) {
    const root = await reportIssue(server, `issue ${roots.length}`);
    roots.push(root);
    const person = aPerson();
    for (let n = 0; n < KILLS_OF_AN_ISSUE && kills < KILLS; n += 1, kills += 1) {
      const until = Date.now() + (Math.random() * ISSUE_MS) / 2;
      while (Date.now() < until) {
        await person.lookAt(server, root);
        await sleep(Math.max(0, Math.min(250, until - Date.now())));
      }
      await server.kill();
      server = await openWorkshop(options);
    }
    await seeThrough(server, root, person, 120);
    await expectFamilyCost(server, root, calls);
  }
  await expectUsage(server, roots, calls);
  expect(await server.stop()).toBe(0);
}, 7_200_000);

const usdOf = (calls: number | undefined) => expect.closeTo((calls ?? 0) * USD_PER_CALL, 6);
const sumOf = (counts: Iterable<number>) => [...counts].reduce((sum, count) => sum + count, 0);

async function expectFamilyCost(server: Server, root: string, calls: ReadonlyMap<string, number>) {
  const { runs } = await treeOf(server, root);
  expect(runs).toHaveLength(6);
  const ids = runs.map(({ run_id }) => run_id);
  const items = await Promise.all(ids.map((id) => server.api<Models["RunItem"]>("GET", `/agent/runs/${id}`)));
  expect(items.map(({ cost_usd }) => cost_usd)).toEqual(ids.map((id) => usdOf(calls.get(id))));
  expect(items.map(({ family_cost_usd }) => family_cost_usd)).toEqual([
    usdOf(sumOf(ids.map((id) => calls.get(id) ?? 0))),
    ...ids.slice(1).map(() => undefined),
  ]);
}

async function expectUsage(server: Server, roots: readonly string[], calls: ReadonlyMap<string, number>) {
  const { usage } = await server.api<{ usage: Models["UsageRow"][] }>("GET", "/usage?group_by=automation");
  const all = sumOf(calls.values());
  const ofRoots = sumOf(roots.map((id) => calls.get(id) ?? 0));
  expect(usage.map(({ key, cost_usd, family_cost_usd }) => [key, cost_usd, family_cost_usd])).toEqual(
    expect.arrayContaining([
      ["workshop/work-on-issue", usdOf(ofRoots), usdOf(all)],
      ["workshop/(none)", usdOf(all - ofRoots), null],
    ]),
  );
  expect(usage).toHaveLength(2);
  const { automations } = await server.api<{
    automations: { name: string; budget?: { used: { usdPerDay: number } } }[];
  }>("GET", `/factories/${(await storyOf(server).factory()).uid}/automations`);
  expect(automations.map(({ budget }) => budget?.used.usdPerDay)).toEqual([usdOf(all)]);
}
