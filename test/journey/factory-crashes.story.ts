import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { hasEnded, type RunState } from "../../src/runs/rules/state.ts";
import { freePort } from "../given/port.ts";
import { agentHostOf, agentsIn, endProcess } from "../given/processes.ts";
import type { Server } from "../given/server.ts";
import { storyOf } from "../given/story.ts";
import { aWorker } from "../given/workers.ts";
import {
  aPerson,
  openWorkshop,
  reportIssue,
  seeThrough,
  stagesOf,
  taskOf,
  treeOf,
  workshopOptions,
} from "../given/workshop.ts";

/** `npm run prove:factory` asks for many more. */
const KILLS = Number(process.env.CRASHES ?? 3);
/** So that an issue comes to its end now and then. */
const KILLS_OF_AN_ISSUE = 3;
/** How long one takes without a kill, about. */
const ISSUE_MS = Number(process.env.ISSUE_MS ?? 8_000);

interface Message {
  id: string;
  role: string;
  kind: string;
  text: string;
  state: string;
}

interface Issue {
  root: string;
  person: ReturnType<typeof aPerson>;
}

/** What was said in the conversation of a run, in the order of the conversation. */
async function messagesOf(server: Server, run: string): Promise<Message[]> {
  const path = `/agent/runs/${run}/conversation?limit=500`;
  return (await server.api<{ messages: Message[] }>("GET", path)).messages;
}

test(`through ${KILLS} kills of the server and of its agent supervisor at random, each start makes one run, each message is kept once, and each issue comes to COMPLETE`, async () => {
  const options = workshopOptions();
  let server = await openWorkshop(options);
  const issues: Issue[] = [];
  for (let kills = 0; kills < KILLS; ) {
    const issue = { root: await reportIssue(server, `issue ${issues.length}`), person: aPerson() };
    issues.push(issue);
    for (let n = 0; n < KILLS_OF_AN_ISSUE && kills < KILLS; n += 1, kills += 1) {
      await helped(server, issue, Math.random() * ISSUE_MS);
      if (kills % 3 === 2) {
        endProcess(agentHostOf(server));
      } else {
        await server.kill();
        server = await openWorkshop(options);
      }
    }
    await seeThrough(server, issue.root, issue.person, 120);
    await expectWhole(server, issue);
  }
  expect(agentsIn(options.dataDir)).toEqual([]);
}, 7_200_000);

test(`through ${KILLS} kills of the server alone, agents on a worker go on, and each issue comes to COMPLETE with no other help than its approval`, async () => {
  const workshop = workshopOptions();
  const env = { MILLRACE_LISTEN: `127.0.0.1:${await freePort()}`, MILLRACE_WORKERS: "none" };
  const options = { ...workshop, env };
  let server = await openWorkshop(options);
  const worker = await aWorker(server, { env: workshop.env, args: ["--concurrency", "4"] });
  for (let kills = 0; kills < KILLS; ) {
    const issue = { root: await reportIssue(server, `issue ${kills}`), person: aPerson() };
    for (let n = 0; n < KILLS_OF_AN_ISSUE && kills < KILLS; n += 1, kills += 1) {
      await helped(server, issue, (Math.random() * ISSUE_MS) / 2);
      await server.kill();
      server = await openWorkshop(options);
    }
    await seeThrough(server, issue.root, issue.person, 120);
    await expectWhole(server, issue);
    const { runs } = await treeOf(server, issue.root);
    expect(runs.map(({ state }) => state)).toEqual(runs.map(() => "SUCCEEDED"));
    expect([...issue.person.said.values()].map(({ message }) => message)).toEqual(["Approve"]);
    const turns = await Promise.all(runs.map(({ run_id }) => storyOf(server).timeline(run_id)));
    const starts = turns.map((events) => events.filter(({ event_type }) => event_type === "agent_started"));
    // No agent but the foreman, whose waits end its turns, has had a second turn.
    expect(starts.slice(1).map(({ length }) => length)).toEqual(runs.slice(1).map(() => 1));
  }
  expect(agentsIn(worker.dataDir)).toEqual([]);
  expect(worker.exitCode()).toBe(null);
}, 7_200_000);

/** The person looks after an issue for a while, as long as the server answers. */
async function helped(server: Server, { root, person }: Issue, milliseconds: number): Promise<void> {
  const until = Date.now() + milliseconds;
  while (Date.now() < until) {
    await person.lookAt(server, root).catch(() => {});
    await sleep(Math.max(0, Math.min(250, until - Date.now())));
  }
}

async function expectWhole(server: Server, { root, person }: Issue): Promise<void> {
  const { runs } = await treeOf(server, root);
  const children = runs.filter(({ parent_run_id }) => parent_run_id !== null);
  expect(children.map(({ title }) => title).sort()).toEqual([
    "Implement the issue, round 1.",
    "Implement the issue, round 2.",
    "Review the change, round 1.",
    "Review the change, round 2.",
    "Run the tests on the change.",
  ]);
  expect(children.every(({ parent_run_id }) => parent_run_id === root)).toBe(true);
  expect(runs.filter(({ state }) => !hasEnded(state as RunState))).toEqual([]);
  expect((await storyOf(server).run(root)).state).toBe("SUCCEEDED");
  expect((await taskOf(server, root)).stage).toBe("COMPLETE");
  // A turn that was repeated may have moved the task to the stage once more.
  const stages = (await stagesOf(server, root)).map(({ stage }) => stage);
  expect(stages.filter((stage, index) => stage !== stages[index - 1])).toEqual([
    "TRIAGE",
    "IMPLEMENT",
    "REVIEW",
    "IMPLEMENT",
    "REVIEW",
    "COMPLETE",
  ]);

  const kept = await Promise.all(runs.map(({ run_id }) => messagesOf(server, run_id)));
  const ids = kept.flat().map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const said = [...person.said.values()];
  for (const [index, { run_id }] of runs.entries()) {
    for (const message of ["Approve", "Go on."]) {
      const found = kept[index]?.filter(({ role, text }) => role === "user" && text === message) ?? [];
      const sent = said.filter((one) => one.run === run_id && one.message === message);
      expect(found.length).toBeGreaterThanOrEqual(sent.filter(({ isConfirmed }) => isConfirmed).length);
      expect(found.length).toBeLessThanOrEqual(sent.length);
      expect(found.every(({ state }) => state === "given")).toBe(true);
    }
  }
}
