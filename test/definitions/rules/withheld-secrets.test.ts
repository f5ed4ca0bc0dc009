import { expect, test } from "vitest";
import { automationWith, load, withFactoryLines } from "../../given/definition.ts";

const NEVER = `triggers: [{ provider: schedule, event: cron_fired, schedule: { cron: "0 0 1 1 *" } }]`;

test("a secret that a webhook goes by and that is granted is warned of at the webhook and at each grant", async () => {
  const { problems } = await load({
    ...withFactoryLines("secrets: [OTHER, HOOK]\n"),
    "webhooks/ci.yaml": "secretName: HOOK\n",
    "webhooks/own.yaml": "secretName: NOBODY_ELSES\n",
    "automations/a.md": automationWith(`secrets: [HOOK]\n${NEVER}`),
  });
  const withheld = problems.filter(({ code }) => code === "FF_SECRET_WITHHELD");
  expect(withheld.map(({ path, line, severity }) => [path, line, severity]).toSorted()).toEqual([
    ["automations/a.md", 2, "warning"],
    ["factory.yaml", 5, "warning"],
    ["webhooks/ci.yaml", 1, "warning"],
  ]);
});

test("so is one that a webhook goes by until the end of a rotation", async () => {
  const { problems } = await load({
    ...withFactoryLines("secrets: [FORMER]\n"),
    "webhooks/ci.yaml":
      "secretName: HOOK\nmillrace:\n  until: 2126-01-01T00:00:00Z\n  previousSecretName: FORMER\n",
  });
  const withheld = problems.filter(({ code }) => code === "FF_SECRET_WITHHELD");
  expect(withheld.map(({ path, line }) => [path, line]).toSorted()).toEqual([
    ["factory.yaml", 5],
    ["webhooks/ci.yaml", 4],
  ]);
});
