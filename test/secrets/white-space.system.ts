import { describe, expect, test } from "vitest";
import { sharedByFile } from "../given/cleanup.ts";
import { FACTORY, signatureWebhook, TOKEN_WEBHOOK } from "../given/definition.ts";
import { serveManaged } from "../given/managed.ts";
import { post } from "../given/sender.ts";
import { serving } from "../given/serving.ts";

const URL_TOKEN = "authMode: url_token\nsecretName: LINK_SECRET\n";
const SECRETS = { CI_SECRET: "the-token", HOOK_SECRET: "of-the-hook", LINK_SECRET: "sixteen-letters." };

const stage = sharedByFile(() =>
  serving(
    {
      ...FACTORY,
      "webhooks/ci.yaml": TOKEN_WEBHOOK,
      "webhooks/hook.yaml": signatureWebhook("github", "HOOK_SECRET"),
      "webhooks/link.yaml": URL_TOKEN,
    },
    SECRETS,
  ),
);

describe("the secret of a webhook", () => {
  test.each(["\n", "\r\n"])(
    "loses one line end (%j) when it is set, and its sender is accepted",
    async (end) => {
      const { story } = stage();
      await story.setSecret("CI_SECRET", `the-token${end}`);
      expect((await story.sync()).sync.status).toBe("synced");
      const { url, has_newer_secret } = await story.webhook("ci");
      expect(has_newer_secret).toBe(false);
      expect((await story.deliver(url, "the-token", `{"end":${end.length}}`)).status).toBe(202);
    },
  );

  test.each([
    " of-the-hook",
    "of-the-hook ",
    "of-the-hook\n\n",
    "\tof-the-hook\n",
    "\u00a0of-the-hook",
    "\n",
  ])("is refused with other white space around it: %j", async (value) => {
    const { server } = stage();
    await expect(server.api("PUT", "/secrets/HOOK_SECRET", { value })).rejects.toThrow(
      /400.*(white space|is empty)/,
    );
  });

  test("may have white space within", async () => {
    await stage().story.setSecret("HOOK_SECRET", "of the\nhook");
    await stage().story.setSecret("HOOK_SECRET", SECRETS.HOOK_SECRET);
  });
});

test("a secret that no webhook uses is stored as it is", async () => {
  await stage().story.setSecret("PRIVATE_KEY", "\n-----BEGIN-----\n  x\n-----END-----\n\n");
});

test("a value with white space around it that was there before the webhook keeps the definition from being applied", async () => {
  const { story } = await serving(
    { ...FACTORY, "webhooks/hook.yaml": signatureWebhook("github", "HOOK_SECRET") },
    { HOOK_SECRET: " of-the-hook\n" },
  );
  expect((await story.factory()).sync.problems).toContainEqual(
    expect.objectContaining({
      severity: "error",
      code: "FF_INVALID_VALUE",
      path: "webhooks/hook.yaml",
      line: 3,
      message: expect.stringContaining("white space"),
    }),
  );
});

test("a token in a URL of fewer than 16 characters is a warning at its line, and works", async () => {
  const { story } = await serving(
    { ...FACTORY, "webhooks/link.yaml": URL_TOKEN },
    { LINK_SECRET: "fifteen-letters" },
  );
  const { sync } = await story.factory();
  expect(sync.status).toBe("synced");
  expect(sync.problems).toContainEqual(
    expect.objectContaining({
      severity: "warning",
      code: "FF_SECRET_WEAK",
      path: "webhooks/link.yaml",
      line: 2,
    }),
  );
  const url = (await story.urlOf("link")).replace("{token}", "fifteen-letters");
  expect((await post(url, "{}")).status).toBe(202);
});

test("a token in a URL of 16 characters is not warned of", async () => {
  const { problems } = (await stage().story.factory()).sync;
  expect(problems.filter(({ code }) => code === "FF_SECRET_WEAK")).toEqual([]);
});

test("creating and rotating a webhook refuse white space around a signing secret, and drop one line end", async () => {
  const kept = await serveManaged();
  const github = { name: "hook", auth_mode: "signature", signature_scheme: "github" } as const;
  await expect(kept.create({ ...github, secret: " padded" })).rejects.toThrow(/400.*white space/);
  const { uid } = await kept.create({ ...github, secret: "of-the-hook\n" });
  const rotated = await kept.call("POST", `/webhooks/${uid}/rotate-secret`, {
    body: { secret: "of-the-hook\n\n" },
  });
  expect(rotated).toMatchObject({ status: 400, body: { field: "secret" } });
  const sent = await kept.server.api("POST", `/factories/default/webhooks/${uid}/test-deliveries`, {});
  expect(sent.status).toBe(202);
});

test("a previous secret with white space around it is warned of, and the current one is accepted", async () => {
  const files = {
    ...FACTORY,
    "webhooks/ci.yaml":
      "secretName: CI_SECRET\nmillrace: { previousSecretName: OLD_SECRET, until: 2126-01-01T00:00:00Z }\n",
  };
  // Both are set before the first definition that names them is in force.
  const { story } = await serving(files, { OLD_SECRET: " the-old-one", CI_SECRET: "the-token" });
  const { sync } = await story.sync();
  expect(sync.problems).toMatchObject([{ code: "FF_SECRET_UNUSABLE", severity: "warning", line: 2 }]);
  const { url } = await story.webhook("ci");
  expect((await story.deliver(url, "the-token", "{}")).status).toBe(202);
});
