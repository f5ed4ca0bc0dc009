import { describe, expect, test } from "vitest";
import { automationWith, FACTORY, problemsOf } from "../given/definition.ts";
import type { Files } from "../given/folder.ts";

const A = "automations/a/automation.md";
const automation = (frontMatter: string) => ({ ...FACTORY, [A]: automationWith(frontMatter) });
const trigger = (text: string) => automation(`triggers:\n  - { ${text} }\n`);
const scheduled = (schedule: string) =>
  trigger(`provider: schedule, event: cron_fired, schedule: ${schedule}`);

describe("an automation file", () => {
  test.each<[string, Files, string[]]>([
    ["needs triggers", automation("enabled: true\n"), [`FF_MISSING_REQUIRED ${A}:2:1`]],
    ["needs at least one", automation("triggers: []\n"), [`FF_INVALID_VALUE ${A}:2:11`]],
    [
      "names an agent of the tree",
      automation("agent: nobody\ntriggers: [{ provider: slack, event: app_mention }]\n"),
      [`FF_INVALID_REFERENCE ${A}:2:8`],
    ],
    [
      "knows time zones",
      automation(
        "millrace: { timezone: Mars/Olympus }\ntriggers: [{ provider: slack, event: app_mention }]\n",
      ),
      [`FF_INVALID_VALUE ${A}:2:23`],
    ],
    [
      "knows priorities",
      automation("millrace: { priority: urgent }\ntriggers: [{ provider: slack, event: app_mention }]\n"),
      [`FF_INVALID_VALUE ${A}:2:23`],
    ],
    ["knows providers", trigger("provider: gitub, event: push"), [`FF_INVALID_TRIGGER ${A}:3:17`]],
    [
      "knows the events of a provider",
      trigger("provider: github, event: pushed"),
      [`FF_INVALID_EVENT ${A}:3:32`],
    ],
    [
      "knows the filter keys of an event",
      trigger("provider: github, event: push, filter: { labels: [x] }"),
      [`FF_INVALID_FILTER ${A}:3:48`],
    ],
    [
      "takes matchers in filters",
      trigger("provider: github, event: push, filter: { repos: acme/shop }"),
      [`FF_INVALID_FILTER ${A}:3:55`],
    ],
    [
      "takes no value in both sets",
      trigger("provider: github, event: push, filter: { repos: { in: [acme/a], not_in: [acme/a] } }"),
      [`FF_INVALID_FILTER ${A}:3:79`],
    ],
    [
      "takes an alias or its key",
      trigger("provider: slack, event: app_mention, filter: { channels: [c], channel_ids: [c] }"),
      [`FF_INVALID_FILTER ${A}:3:54`],
    ],
    [
      "takes no number with more digits than can be read",
      trigger(
        "provider: webhook, event: received, millrace: { webhooks: [ci] }, filter: { payload: { a: [1.10, 0.12345678901234567891], b: { not_in: [1.0000000000000001] } } }",
      ),
      [`FF_INVALID_FILTER ${A}:3:104`, `FF_INVALID_FILTER ${A}:3:143`, `FF_INVALID_REFERENCE ${A}:3:66`],
    ],
    [
      "takes no such number for a key of an event",
      trigger(
        "provider: github, event: pull_request_opened, filter: { pr_numbers: [7.00000000000000001, 1e2] }",
      ),
      [`FF_INVALID_FILTER ${A}:3:76`],
    ],
    [
      "takes null and {} as no constraint",
      trigger("provider: github, event: push, filter: { repos: null, branches: {} }"),
      [],
    ],
    [
      "needs webhooks to listen to",
      trigger("provider: webhook, event: received"),
      [`FF_MISSING_REQUIRED ${A}:3:5`],
    ],
    [
      "needs uids in webhook_ids",
      trigger("provider: webhook, event: received, filter: { webhook_ids: [] }"),
      [`FF_INVALID_FILTER ${A}:3:66`],
    ],
    [
      "takes webhook_ids by inclusion only",
      trigger("provider: webhook, event: received, filter: { webhook_ids: { not_in: [a] } }"),
      [`FF_MISSING_REQUIRED ${A}:3:66`, `FF_INVALID_FILTER ${A}:3:68`],
    ],
    [
      "warns of a webhook that is not there",
      trigger("provider: webhook, event: received, millrace: { webhooks: [ci] }"),
      [`FF_INVALID_REFERENCE ${A}:3:66`],
    ],
    [
      "keeps millrace.webhooks to webhook triggers",
      trigger("provider: slack, event: app_mention, millrace: { webhooks: [ci] }"),
      [`FF_INVALID_TRIGGER ${A}:3:44`],
    ],
    [
      "keeps schedule to schedule triggers",
      trigger("provider: slack, event: app_mention, schedule: { cron: '@daily' }"),
      [`FF_INVALID_TRIGGER ${A}:3:44`],
    ],
    [
      "needs a schedule or ids",
      trigger("provider: schedule, event: cron_fired"),
      [`FF_INVALID_TRIGGER ${A}:3:5`],
    ],
    ["wants five cron fields", scheduled("{ cron: '0 0 * * * *' }"), [`FF_INVALID_TRIGGER ${A}:3:64`]],
    ["refuses time zones", scheduled("{ cron: 'CRON_TZ=UTC 0 0 * * *' }"), [`FF_INVALID_TRIGGER ${A}:3:64`]],
    [
      "refuses what is no cron expression",
      scheduled("{ cron: '61 * * * *' }"),
      [`FF_INVALID_TRIGGER ${A}:3:64`],
    ],
    [
      "warns of a day that no year has",
      scheduled("{ cron: '0 0 30 2 *' }"),
      [`FF_INVALID_TRIGGER ${A}:3:64`],
    ],
    ["takes a day that some years have", scheduled("{ cron: '0 0 29 2 1' }"), []],
    [
      "refuses a number of a pull request that is not read exactly",
      trigger("provider: github, event: pull_request_opened, filter: { pr_numbers: [9007199254740993] }"),
      [`FF_INVALID_FILTER ${A}:3:75`],
    ],
    ["takes macros and intervals", scheduled("{ cron: '@every 1h30m' }"), []],
    [
      "has one unnamed schedule at most",
      automation(
        "triggers:\n  - { provider: schedule, event: cron_fired, schedule: { cron: '@daily' } }\n  - { provider: schedule, event: cron_fired, schedule: { cron: '@hourly' } }\n",
      ),
      [`FF_INVALID_TRIGGER ${A}:4:56`],
    ],
    [
      "checks its payload filter at the field",
      automation(
        "triggers:\n  - provider: webhook\n    event: received\n    filter:\n      webhook_ids: [u]\n      payload:\n        a: { b: [] }\n",
      ),
      [`FF_INVALID_FILTER ${A}:8:17`],
    ],
    [
      "may not have both forms",
      {
        ...automation("triggers: [{ provider: slack, event: app_mention }]\n"),
        "automations/a.md": automationWith("triggers: [{ provider: slack, event: app_mention }]\n"),
      },
      ["FF_DUPLICATE_PATH automations/a.md:1:1"],
    ],
  ])("%s", async (_, files, expected) => {
    expect(await problemsOf(files)).toEqual(expected);
  });
});
