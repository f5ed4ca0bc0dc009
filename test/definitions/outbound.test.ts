import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readSettingsFile } from "../../src/cli/settings.ts";
import { OUTBOUND_EVENTS } from "../../src/config/outbound-events.ts";
import { readSchema } from "../../src/definitions/loading/validate.ts";
import { FACTORY, load } from "../given/definition.ts";
import { temporaryFolder } from "../given/folder.ts";

const GOOD = "url: https://hooks.example.com/x\nsecretName: OUT\nevents: [run.ended]\n";

async function problemsOf(text: string, path = "outbound/ops.yaml") {
  const { problems } = await load({ ...FACTORY, [path]: text });
  return problems.map(({ message }) => message);
}

describe("an outbound file", () => {
  test("is resolved with its defaults", async () => {
    const { definition } = await load({ ...FACTORY, "outbound/ops.yaml": GOOD });
    expect(definition?.outbound).toEqual([
      {
        name: "ops",
        path: "outbound/ops.yaml",
        url: "https://hooks.example.com/x",
        secretName: "OUT",
        events: ["run.ended"],
        enabled: true,
        ordered: false,
      },
    ]);
  });

  test.each([
    ["url: ftp://a\nsecretName: OUT\nevents: [run.ended]\n", "url"],
    ["url: https://user@a\nsecretName: OUT\nevents: [run.ended]\n", "url"],
    ["url: https://a\nevents: [run.ended]\n", "secretName"],
    ["url: https://a\nsecretName: OUT\nevents: [run.exploded]\n", "events"],
    ["url: https://a\nsecretName: OUT\nevents: []\n", "events"],
    [`${GOOD}filter: {data: {state: FAILED}}\n`, 'body field "data.state": expected a list of values'],
    [`${GOOD}filter: {in: [a]}\n`, "expected payload fields at the top level"],
    [`${GOOD}retries: 3\n`, "retries"],
  ])("is refused as %j", async (text, message) => {
    expect((await problemsOf(text)).join("\n")).toContain(message);
  });

  test("is warned about an event that its filter excludes by the type", async () => {
    const both = GOOD.replace("[run.ended]", "[run.ended, run.blocked]");
    expect(await problemsOf(`${both}filter: {type: [run.ended], data: {state: [FAILED]}}\n`)).toEqual([
      '"events[1]": run.blocked is never sent, because the filter excludes it by the field "type"',
    ]);
    expect(await problemsOf(`${both}filter: {type: {not_in: [run.created]}}\n`)).toEqual([]);
    expect(await problemsOf(`${both}filter: {data: {state: [FAILED]}}\n`)).toEqual([]);
  });

  test("is at one place only, and there are at most 20", async () => {
    expect((await problemsOf(GOOD, "outbound/team/ops.yaml")).join("\n")).toContain("outbound/<name>.yaml");
    const many = Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`outbound/o${n}.yaml`, GOOD]));
    const { problems } = await load({ ...FACTORY, ...many });
    expect(problems.map(({ message }) => message)).toContain(
      "the factory has 21 outbound webhooks; the limit is 20",
    );
  });

  test("knows the events that the server sends, as do the settings", () => {
    const file = JSON.parse(readSchema("v1alpha1/outbound.schema.json"));
    const settings = JSON.parse(readSchema("millrace.schema.json"));
    expect(file.properties.events.items.enum).toEqual(OUTBOUND_EVENTS);
    expect(settings.properties.outbound.items.properties.events.items.enum).toEqual(OUTBOUND_EVENTS);
  });

  test("of the settings has its filter checked at the start, with its place", async () => {
    const path = join(temporaryFolder("millrace-settings"), "millrace.yaml");
    writeFileSync(
      path,
      "outbound:\n  - name: ops\n    url: https://a.example\n    secret: { env: X }\n    events: [run.ended]\n    filter: { type: run.ended }\n",
    );
    await expect(readSettingsFile(path)).rejects.toThrow(
      /:6:.*body field "type": expected a list of values/s,
    );
  });
});
