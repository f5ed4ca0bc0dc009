import { describe, expect, test } from "vitest";
import { sharedByFile } from "../../given/cleanup.ts";
import { serveManaged } from "../../given/managed.ts";

const managed = sharedByFile(serveManaged);

describe("a webhook is not created", () => {
  test.each<[string, object, number, string]>([
    [
      "with a secret for a token",
      { secret: "x" },
      400,
      "secret: millrace generates the secrets of token webhooks.",
    ],
    [
      "with a secret for a URL",
      { auth_mode: "url_token", secret: "x" },
      400,
      "millrace generates the secret",
    ],
    ["without a scheme", { auth_mode: "signature" }, 400, "would not be valid"],
    [
      "with an unknown scheme",
      { auth_mode: "signature", signature_scheme: "x" },
      400,
      "expected one of github",
    ],
    ["with a scheme and a token", { signature_scheme: "github" }, 400, "would not be valid"],
    [
      "with a header that carries a credential",
      { delivery_id_header: "Cookie" },
      400,
      "carries a credential",
    ],
    ["with a secret of no name", { secret_name: "1-2" }, 400, "is not a valid secret name"],
    [
      "with a secret that its scheme cannot use",
      { auth_mode: "signature", signature_scheme: "standard_webhooks", secret: "whsec_!" },
      400,
      "the webhook's secret is not base64",
    ],
    ["with a field that there is not", { colour: "red" }, 400, "colour"],
  ])("%s", async (_, body, status, detail) => {
    const { call, git, server } = managed();
    const before = await git("rev-parse", "main");
    const secrets = await server.api("GET", "/secrets?limit=500");
    const refused = await call("POST", "/webhooks", { body: { name: "refused", ...body } });
    expect([refused.status, refused.body.detail]).toEqual([status, expect.stringContaining(detail)]);
    expect(await git("rev-parse", "main")).toBe(before);
    expect(await server.api("GET", "/secrets?limit=500")).toEqual(secrets);
  });

  test("whose name, or whose secret, is taken", async () => {
    const { create, call, server } = managed();
    const { uid, secret, url } = await create({ name: "Taken" });
    for (const name of ["Taken", "taken"]) {
      expect((await call("POST", "/webhooks", { body: { name } })).status).toBe(409);
    }
    expect(await managed().deliver(url, secret)).toBe(202);
    expect((await call("GET", `/webhooks/${uid}`)).body.secret_name).toBe("TAKEN_WEBHOOK_SECRET");
    await server.api("PUT", "/secrets/TAKEN_ALREADY", { value: "x" });
    const body = {
      auth_mode: "signature",
      signature_scheme: "github",
      secret: "y",
      secret_name: "TAKEN_ALREADY",
    };
    expect((await call("POST", "/webhooks", { body: { name: "other", ...body } })).status).toBe(409);
  });
});
