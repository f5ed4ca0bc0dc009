import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { onFinished, sharedByFile } from "../../given/cleanup.ts";
import {
  automationOn,
  automationWith,
  FACTORY,
  signatureWebhook,
  TOKEN_WEBHOOK,
} from "../../given/definition.ts";
import { folderWith, writeFiles } from "../../given/folder.ts";
import { SIGNING_SECRET } from "../../given/sender.ts";
import { ADMIN_KEY, PROGRAM, run, waitFor } from "../../given/server.ts";
import { serving } from "../../given/serving.ts";

const TOKEN = "the-token";
const signed = (scheme: string) => signatureWebhook(scheme, "SIGNING_SECRET");
const SCHEMES = [
  ...["github", "stripe", "vercel", "sentry", "pagerduty", "standard_webhooks"],
  ...["gitlab", "linear", "slack"],
];

const stage = sharedByFile(async () => {
  const files = {
    ...FACTORY,
    "webhooks/ci.yaml": TOKEN_WEBHOOK,
    "webhooks/gone.yaml": TOKEN_WEBHOOK,
    "webhooks/brief.yaml": TOKEN_WEBHOOK,
    "webhooks/off.yaml": `${TOKEN_WEBHOOK}enabled: false\n`,
    "webhooks/link.yaml": "authMode: url_token\nsecretName: CI_SECRET\n",
    "webhooks/plain-gitlab.yaml": signatureWebhook("gitlab", "CI_SECRET"),
    "webhooks/accents.yaml": "secretName: ACCENTS\n",
    "webhooks/odd.yaml": `${signed("custom")}millrace: { scheme: { header: X-Odd, prefix: "é=", deliveryId: { body: [__proto__, webhook] } } }\n`,
    "webhooks/verify-only.yaml": signatureWebhook("standard_webhooks", "PUBLIC_KEY"),
    "webhooks/own.yaml": `${signed("custom")}millrace: { scheme: { header: X-Own, separator: ",", prefix: "s=", signed: [timestamp, { text: "." }, body], timestamp: { entry: "t=" }, deliveryId: { body: [meta, id] } } }\n`,
    ...Object.fromEntries(SCHEMES.map((scheme) => [`webhooks/${scheme}.yaml`, signed(scheme)])),
    "automations/matching.md": automationOn(["ci"], { kind: ["push"] }),
    "automations/other-field.md": automationOn(["ci"], { kind: ["push"], branch: ["main"] }),
    "automations/switched-off.md": automationOn(["ci"]).replace("---\n", "---\nenabled: false\n"),
    "automations/elsewhere.md": automationOn(["gone", "off"]),
    "automations/nowhere.md": automationWith(`triggers:
  - { provider: webhook, event: received, filter: { webhook_ids: [nobodyhasthisuid000000] } }
  - { provider: webhook, event: received, millrace: { webhooks: [never] } }`),
  };
  const { server, story, source } = await serving(files, {
    CI_SECRET: TOKEN,
    SIGNING_SECRET,
    ACCENTS: "sécret-日本",
    PUBLIC_KEY: "whpk_1SiA4o9hyqTCpIqC5V9HUakiiaeACeqfZTInDBbOir4=",
  });
  const env = { MILLRACE_SERVER: server.url, MILLRACE_API_KEY: ADMIN_KEY };
  return { server, story, source, env, cli: (...args: string[]) => run(args, env) };
});

describe("webhooks send", () => {
  test.each([...SCHEMES, "ci", "link", "plain-gitlab", "own", "odd", "accents"])(
    "signs a delivery for %s that its webhook accepts, and another one each time",
    async (name) => {
      const { cli, story } = stage();
      const sent = [await cli("webhooks", "send", name), await cli("webhooks", "send", name)];
      const ids = sent.map(({ code, printed, said }) => {
        expect([code, said]).toEqual([0, ""]);
        return /answered 202: delivery ([0-9a-f-]{36})\./.exec(printed)?.[1] ?? "";
      });
      expect(new Set(ids).size).toBe(2);
      for (const id of ids) expect((await story.delivery(id)).outcome).toBe("Accepted");
    },
  );

  test("sends the body of a file, and says what the webhook answered", async () => {
    const { cli, story } = stage();
    const text = '{"kind":"push", "n":1.0, "big":12345678901234567890}';
    const body = join(folderWith({ "body.json": text }), "body.json");
    const { code, printed } = await cli("webhooks", "send", "ci", "--body", body, "--json");
    expect(code).toBe(0);
    const { delivery_id } = JSON.parse(printed);
    const [run = ""] = (await story.delivery(delivery_id)).run_ids;
    expect((await story.attachment(run, "event-payload.json")).toString()).toBe(text);
  });

  test("says plainly when the secret can verify and cannot sign, and when nothing is taken there", async () => {
    const { cli } = stage();
    const verifyOnly = await cli("webhooks", "send", "verify-only");
    expect(verifyOnly.code).toBe(1);
    expect(verifyOnly.said).toContain(
      "its secret is a public key, which can verify signatures but not create them",
    );
    expect((await cli("webhooks", "send", "off")).said).toContain(
      "it was deleted, is disabled or has no secret",
    );
  });
});

describe("deliveries show", () => {
  test("prints the payload, and says when it was deleted", async () => {
    const { cli, story } = stage();
    const { url } = await story.webhook("ci");
    const id = await story.accept(url, TOKEN, '{"kind":"to be shown"}');
    expect((await cli("deliveries", "show", id)).printed).toContain('"kind": "to be shown"');
    const { printed } = await cli("deliveries", "delete-payload", id);
    expect(printed).toBe(`Deleted the payload of ${id}.\n`);
    expect((await cli("deliveries", "show", id)).printed).toMatch(/^payload: +was deleted$/m);
  });
});

describe("deliveries explain", () => {
  test("explains every automation, clause by clause and closest first, also disabled ones and deliveries of deleted webhooks", async () => {
    const { cli, story, source } = stage();
    const { url } = await story.webhook("ci");
    const id = await story.accept(url, TOKEN, '{"kind":"push","branch":"feature/1"}');
    // The webhook of one automation is deleted: the automation stays and cannot fire.
    rmSync(join(source, "webhooks/gone.yaml"));
    await story.sync();
    const [run] = (await story.delivery(id)).run_ids;
    const { code, printed } = await cli("deliveries", "explain", id);
    expect(code).toBe(0);
    expect(
      printed,
    ).toBe(`Accepted. The delivery was sent to "ci". Under the active definition, 1 of 5 automations would start a run.

matching: Would trigger
  The delivery started run ${run}. The automation has no concurrency key: each delivery starts a run.
  ✓ webhook: it selects "ci"
  ✓ kind: expected one of "push", found "push"

switched-off: Would not trigger (disabled)
  It is disabled; otherwise it would start a run.
  ✓ webhook: it selects "ci"
  ✓ payload: there is no payload filter

other-field: Would not trigger
  2 of 3 conditions are met. Not met: branch (expected one of "main", found "feature/1").
  ✓ webhook: it selects "ci"
  ✓ kind: expected one of "push", found "push"
  ✗ branch: expected one of "main", found "feature/1"

elsewhere: Would not trigger
  1 of 2 conditions are met. Not met: webhook (it selects "off", which is disabled or "gone", which was deleted; the delivery was sent to "ci").
  ✗ webhook: it selects "off", which is disabled or "gone", which was deleted; the delivery was sent to "ci"
  ✓ payload: there is no payload filter

nowhere: Would not trigger
  1 of 2 conditions are met. Not met: webhook (it selects the UID nobodyhasthisuid000000, which does not belong to any webhook; the delivery was sent to "ci").
  trigger 1
  ✗ webhook: it selects the UID nobodyhasthisuid000000, which does not belong to any webhook; the delivery was sent to "ci"
  ✓ payload: there is no payload filter
  trigger 2
  ✗ webhook: it selects "never", which does not exist; the delivery was sent to "ci"
  ✓ payload: there is no payload filter
`);
    writeFiles(source, { "webhooks/gone.yaml": TOKEN_WEBHOOK });
    await story.sync();
  });

  test("shows why a delivery was refused, and which one a duplicate repeats", async () => {
    const { cli, story } = stage();
    const { url, uid } = await story.webhook("ci");
    const id = await story.accept(url, TOKEN, '{"twice":1}');
    await story.accept(url, TOKEN, '{"twice":1}');
    const [duplicate] = await story.deliveries(uid);
    expect((await cli("deliveries", "explain", duplicate?.delivery_id ?? "")).printed).toContain(
      `duplicate of ${id}`,
    );
    await story.deliver(url, "wrong", "{}");
    const [refused] = await story.deliveries(uid);
    expect((await cli("deliveries", "explain", refused?.delivery_id ?? "")).printed).toBe(
      "Rejected (auth). The delivery was refused before any automation was evaluated: the bearer token does not match.\n",
    );
  });
});

describe("deliveries redeliver", () => {
  test("redelivers a delivery, using the active definition", async () => {
    const { cli, story, source } = stage();
    const { url } = await story.webhook("ci");
    const id = await story.accept(url, TOKEN, '{"kind":"later"}');
    expect((await story.delivery(id)).run_ids).toEqual([]);
    writeFiles(source, { "automations/later.md": automationOn(["ci"], { kind: ["later"] }) });
    await story.sync();
    const { code, printed } = await cli("deliveries", "redeliver", id, "--json");
    expect(code).toBe(0);
    const made = JSON.parse(printed);
    expect(made).toMatchObject({
      outcome: "Accepted",
      redelivery_of: id,
      identity: { source: "redelivery", value: made.delivery_id },
    });
    expect(made.run_ids).toHaveLength(1);
    expect((await story.delivery(made.delivery_id)).payload).toEqual({ kind: "later" });
    expect((await cli("deliveries", "redeliver", id)).printed).toMatch(
      /^Redelivered as [0-9a-f-]{36}: started/,
    );
    expect(await story.accept(url, TOKEN, '{"kind":"later"}')).toBe(id);
    rmSync(join(source, "automations/later.md"));
    await story.sync();
  });

  test("refuses what has no stored body, and what came to a webhook that takes nothing", async () => {
    const { cli, story, source } = stage();
    const { url, uid } = await story.webhook("ci");
    await story.deliver(url, "wrong", "{}");
    const [refused] = await story.deliveries(uid);
    const { code, said } = await cli("deliveries", "redeliver", refused?.delivery_id ?? "");
    expect(code).toBe(6);
    expect(said).toContain("only accepted deliveries have a stored body");
    const brief = await story.webhook("brief");
    const id = await story.accept(brief.url, TOKEN, "{}");
    rmSync(join(source, "webhooks/brief.yaml"));
    await story.sync();
    const gone = await cli("deliveries", "redeliver", id);
    expect([gone.code, gone.said]).toEqual([6, expect.stringContaining("its webhook was deleted")]);
  });
});

describe("filter test", () => {
  const files = (filter: string, body: string) => {
    const folder = folderWith({ "filter.yaml": filter, "body.json": body });
    return ["--filter", join(folder, "filter.yaml"), "--body", join(folder, "body.json")];
  };

  test("says whether a payload filter would trigger for a body, and why not", async () => {
    const { cli } = stage();
    const fits = await cli("filter", "test", ...files("kind: [push]\n", '{"kind":"push"}'));
    expect([fits.code, fits.printed.split("\n")[0]]).toEqual([0, "Would trigger"]);
    const not = await cli(
      "filter",
      "test",
      ...files("kind: [push]\ncommit: { author: { in: [ann] } }\n", '{"kind":"tag"}'),
    );
    expect(not.code).toBe(1);
    expect(not.printed).toBe(`Would not trigger
  ✓ webhook: no webhooks were specified, so any webhook matches
  ✗ kind: expected one of "push", found "tag"
  ✗ commit: expected to be present, found nothing (the field is absent)
`);
  });

  test("takes the filter of a trigger, and a stored delivery", async () => {
    const { cli, story } = stage();
    const { url, uid } = await story.webhook("ci");
    const id = await story.accept(url, TOKEN, '{"kind":"filter-test"}');
    const filter = join(
      folderWith({ "f.yaml": `webhook_ids: [${uid}]\npayload: { kind: [filter-test] }\n` }),
      "f.yaml",
    );
    const { printed } = await cli("filter", "test", "--filter", filter, "--delivery", id, "--json");
    expect(JSON.parse(printed)).toEqual({
      result: "Would trigger",
      checks: [
        { check: "webhook", passed: true, reason: 'the delivery was sent to "ci"', field: null },
        { check: "payload", passed: true, reason: expect.any(String), field: "kind" },
      ],
    });
    const other = await story.webhook("link");
    const wrong = join(folderWith({ "f.yaml": `webhook_ids: [${other.uid}]\n` }), "f.yaml");
    expect((await cli("filter", "test", "--filter", wrong, "--delivery", id)).printed).toContain(
      '✗ webhook: it selects "link"; the delivery was sent to "ci"',
    );
  });

  test("takes a field named payload for a field of the body", async () => {
    const { cli } = stage();
    const { printed } = await cli(
      "filter",
      "test",
      ...files("payload: { target: [production] }\n", '{"payload":{"target":"production"}}'),
    );
    expect(printed).toContain("✓ payload.target");
  });

  test("refuses a filter that no automation could have, with its place", async () => {
    const { cli } = stage();
    const { code, said } = await cli("filter", "test", ...files("kind: push\n", "{}"));
    expect(code).toBe(1);
    expect(said).toContain('payload.kind: expected a list of values, for example ["push"]');
    expect((await cli("filter", "test", ...files("kind: [a\n", "{}"))).code).toBe(2);
  });
});

test("deliveries tail prints what comes, as it comes", async () => {
  const { env, story } = stage();
  const { url } = await story.webhook("link");
  const tail = spawn(process.execPath, [PROGRAM, "deliveries", "tail", "--webhook", "link"], {
    env: { PATH: process.env.PATH, ...env },
  });
  onFinished(() => void tail.kill("SIGKILL"));
  let printed = "";
  tail.stdout.on("data", (chunk) => {
    printed += chunk;
  });
  const sendOne = () =>
    fetch(url.replace("{token}", TOKEN), { method: "POST", body: `{"n":${Math.random()}}` });
  await waitFor(async () => {
    await sendOne();
    return printed.includes("link  Accepted") || undefined;
  });
});
