import { expect, test } from "vitest";
import type { Models } from "../../../src/client/typed-paths.ts";
import { serverWithAgent } from "../../given/agent.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { automationOn, TOKEN_WEBHOOK, withMillrace } from "../../given/definition.ts";
import { ADMIN_KEY, run, waitFor } from "../../given/server.ts";

const TOKEN = "the-token";
/** Ends for continue, and stays otherwise. */
const AGENT = `
  import { readFileSync } from "node:fs";
  if (!readFileSync("event-payload.json", "utf8").includes("continue")) setInterval(() => {}, 1_000);`;

const keyed = (policy: string, more = "") =>
  withMillrace(
    automationOn(["ci"], { policy: [policy] }),
    `{ concurrency: { key: "{{pr}}", whileRunning: ${policy} }${more} }`,
  );

const stage = sharedByFile(async () => {
  const files = {
    "webhooks/ci.yaml": TOKEN_WEBHOOK,
    "automations/joining.md": keyed("join", ", debounce: { quiet: 1h, longest: 2h }"),
    "automations/continuing.md": keyed("continue"),
    "automations/replacing.md": keyed("replace"),
    "automations/queueing.md": keyed("queue"),
  };
  const env = { MILLRACE_RUN_CONCURRENCY: "8" };
  const { server, story } = await serverWithAgent(AGENT, { files, env });
  await story.setSecret("CI_SECRET", TOKEN);
  await story.sync();
  const { url } = await story.webhook("ci");
  const send = async (policy: string, pr: number, n: number) => {
    const id = await story.accept(url, TOKEN, JSON.stringify({ policy, pr, n }));
    return { id, run: (await story.delivery(id)).run_ids[0] ?? "" };
  };
  const access = { MILLRACE_SERVER: server.url, MILLRACE_API_KEY: ADMIN_KEY };
  return { story, send, cli: (...args: string[]) => run(args, access) };
});

test("deliveries explain says what a delivery did for each automation, and why", async () => {
  const { cli, send, story } = stage();
  const explained = async (id: string) => (await cli("deliveries", "explain", id)).printed;

  const first = await send("join", 1, 1);
  expect(await explained(first.id)).toContain(`joining: Would trigger
  The delivery started run ${first.run}, which waits. The run waits for further deliveries, or for an earlier run with the key 1.
  ✓ webhook`);
  const second = await send("join", 1, 2);
  expect(await explained(second.id)).toContain(
    `\n  The delivery joined run ${first.run}. A run with the key 1 was waiting: the delivery became part of it.\n`,
  );
  expect(await explained(second.id)).toContain("\nreplacing: Would not trigger\n  1 of 2 conditions");

  const begun = await send("continue", 2, 1);
  await story.ended(begun.run);
  const continued = await send("continue", 2, 2);
  expect(await explained(continued.id)).toContain(
    `\n  The delivery continued run ${begun.run}. A run with the key 2 could be continued: the delivery became a message to it.\n`,
  );

  const old = await send("replace", 3, 1);
  const next = await send("replace", 3, 2);
  expect(await explained(next.id)).toContain(
    `\n  The delivery replaced ${old.run} with run ${next.run}. An earlier run with the key 3 had not ended`,
  );
  const { printed } = await cli("deliveries", "explain", next.id, "--json");
  const { automations }: Models["DeliveryExplanation"] = JSON.parse(printed);
  expect(automations.find(({ name }) => name === "replacing")?.disposition).toMatchObject({
    ...{ kind: "replaced", run_id: next.run, replaced_run_ids: [old.run] },
  });
});

test("deliveries explain says that a run had to wait for an earlier one, also when it does not wait any more", async () => {
  const { cli, send, story } = stage();
  const first = await send("queue", 4, 1);
  const next = await send("queue", 4, 2);
  await cli("runs", "cancel", first.run);
  await waitFor(async () => (await story.run(next.run)).state === "INPROGRESS");
  expect((await cli("deliveries", "explain", first.id)).printed).toContain(
    `The delivery started run ${first.run}. There was no run with the key 4 for the delivery to join, replace or continue`,
  );
  expect((await cli("deliveries", "explain", next.id)).printed).toContain(
    `The delivery started run ${next.run}. The run had to wait for an earlier run with the key 4.`,
  );
});

test("deliveries redeliver says what the new delivery did", async () => {
  const { cli, send, story } = stage();
  const redelivered = async (id: string) => (await cli("deliveries", "redeliver", id)).printed;
  const waiting = await send("join", 4, 1);
  expect(await redelivered(waiting.id)).toMatch(
    new RegExp(`^Redelivered as [0-9a-f-]{36}: joined run ${waiting.run}\\.\n$`),
  );
  const ended = await send("continue", 5, 1);
  await story.ended(ended.run);
  expect(await redelivered(ended.id)).toMatch(new RegExp(`: continued run ${ended.run}\\.\n$`));
  const replaced = await send("replace", 6, 1);
  expect(await redelivered(replaced.id)).toMatch(
    new RegExp(`: replaced ${replaced.run} with run [0-9a-f-]{36}\\.\n$`),
  );
});

test("runs show lists the deliveries of a run that has several, and runs deliveries lists all", async () => {
  const { cli, send } = stage();
  const { id, run: of } = await send("join", 7, 1);
  const shown = async () => (await cli("runs", "show", of)).printed;
  expect(await shown()).not.toMatch(/^deliveries:/m);
  const ids = [id];
  for (let n = 2; n <= 22; n += 1) ids.push((await send("join", 7, n)).id);
  const { deliveries, more } =
    /^deliveries: +(?<deliveries>.*\n(?: +[0-9a-f-]{36} {2}joined .*\n)*) +(?<more>.*)$/m.exec(await shown())
      ?.groups ?? {};
  expect(deliveries?.match(/[0-9a-f-]{36}(?= {2}joined {2}.*)/g)).toEqual(ids.slice(2));
  expect(more).toBe(`and 2 more: \`millrace runs deliveries ${of}\` lists them`);

  const { printed } = await cli("runs", "deliveries", of);
  const [head, first, ...rest] = printed.trimEnd().split("\n");
  expect(head).toMatch(/^ID +DID +KEY +TIME$/);
  expect(first).toMatch(new RegExp(`^${id}  started  7 +\\S`));
  expect(rest.map((line) => line.split("  ")[0])).toEqual(ids.slice(1));
  const asJson: Models["RunDeliveries"]["deliveries"] = JSON.parse(
    (await cli("runs", "deliveries", of, "--json")).printed,
  );
  expect(asJson.map(({ delivery_id }) => delivery_id)).toEqual(ids);
  expect(asJson[1]).toMatchObject({ kind: "joined", key: "7" });
});
