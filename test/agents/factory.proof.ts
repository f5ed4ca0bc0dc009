import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../given/folder.ts";
import { storyOf } from "../given/story.ts";
import {
  aPerson,
  EXAMPLE,
  openWorkshop,
  reportIssue,
  seeThrough,
  stagesOf,
  taskOf,
  treeOf,
  workshopOptions,
} from "../given/workshop.ts";
import { KEY, presetOf } from "./presets.ts";
import { PROGRAMS } from "./programs.ts";
import { playing } from "./script.ts";
import { scriptedModel } from "./scripted-model.ts";
import { scriptFor } from "./workshop-scripts.ts";

/** The example as its README says to give it to models. */
function exampleForClaude(): string {
  const folder = temporaryFolder("millrace-example");
  cpSync(EXAMPLE, folder, { recursive: true });
  const file = join(folder, "factory.yaml");
  const text = readFileSync(file, "utf8");
  const harness =
    "agentDefaults: { harness: { type: claude, model: the-model } }\nsecrets: [ANTHROPIC_API_KEY]\n";
  writeFileSync(file, text.slice(0, text.indexOf("agentDefaults:")) + harness);
  return folder;
}

test("four agents that are the real claude bring an issue to an approved change by the prompts of examples/factory", async () => {
  const model = await scriptedModel(playing(scriptFor));
  const settings = { harnesses: { claude: presetOf("claude").settings(model.url) } };
  const server = await openWorkshop(
    {
      ...workshopOptions({ source: exampleForClaude(), settings }),
      // One place only: the foreman gives it back while the others work.
      env: {
        PATH: `${PROGRAMS}:${process.env.PATH}`,
        MILLRACE_SANDBOX: "auto",
        MILLRACE_RUN_CONCURRENCY: "1",
      },
    },
    { ANTHROPIC_API_KEY: KEY },
  );
  const story = storyOf(server);
  const root = await reportIssue(server, "first");
  const person = aPerson();
  const { answer, artifacts } = await seeThrough(server, root, person, 280);
  expect(answer).toContain("approved");
  expect(artifacts?.map(({ data }) => (data as { filename?: string }).filename)).toEqual(["change.patch"]);
  expect([...person.said.values()].map(({ message }) => message)).toEqual(["Approve"]);

  const { runs } = await treeOf(server, root);
  expect(runs.map(({ agent, state, parent_run_id }) => [agent, state, parent_run_id])).toEqual([
    ["foreman", "SUCCEEDED", null],
    ["implementer", "SUCCEEDED", root],
    ["reviewer", "SUCCEEDED", root],
    ["implementer", "SUCCEEDED", root],
    ["reviewer", "SUCCEEDED", root],
    ["verifier", "SUCCEEDED", root],
  ]);
  const answers = await Promise.all(
    runs.slice(1).map(async ({ run_id }) => (await story.run(run_id)).answer),
  );
  expect(answers).toEqual([
    "The total counts quantities.",
    "Fault: an empty cart costs nothing at all.",
    "An empty cart costs 0 again.",
    "An empty cart costs 0.",
    "4 tests pass.",
  ]);
  expect((await taskOf(server, root)).stage).toBe("COMPLETE");
  expect(await stagesOf(server, root)).toEqual([
    { stage: "TRIAGE", movedBy: null },
    ...["IMPLEMENT", "REVIEW", "IMPLEMENT", "REVIEW", "COMPLETE"].map((stage) => ({ stage, movedBy: root })),
  ]);
  const waits = (await story.timeline(root)).filter(({ event_type }) => event_type === "oz_run_waiting");
  expect(waits).toHaveLength(5);
}, 300_000);
