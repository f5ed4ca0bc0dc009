import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { maskedPath } from "../../src/edge/masked-path.ts";
import { newUid } from "../../src/id.ts";

const uid = fc.constant(undefined).map(() => newUid());
/** Recognisable wherever it shows up, and of the characters that the token of a URL may have. */
const token = fc.stringMatching(/^[A-Za-z0-9._~-]{1,40}$/).map((text) => `SECRET-${text}`);

describe("the path of a request, as logs and answers show it,", () => {
  test("has the uid of the webhook, when that is all it has", () => {
    fc.assert(
      fc.property(uid, (of) => {
        expect(maskedPath(`/webhooks/w/${of}`)).toBe(`/webhooks/w/${of}`);
        expect(maskedPath(`/webhooks/w/${of}/?query=SECRET`)).toBe(`/webhooks/w/${of}/`);
        expect(maskedPath(`http://mill.example/webhooks/w/${of}`)).toBe(`/webhooks/w/${of}`);
      }),
    );
  });

  test("has a placeholder behind the uid for the token", () => {
    fc.assert(
      fc.property(uid, token, (of, secret) => {
        expect(maskedPath(`/webhooks/w/${of}/${secret}`)).toBe(`/webhooks/w/${of}/{token}`);
      }),
    );
  });

  test.each([
    (of: string, secret: string) => `/webhook/w/${of}/${secret}`,
    (of: string, secret: string) => `/webhooks/${of}/${secret}`,
    (of: string, secret: string) => `/w/${of}/${secret}`,
    (of: string, secret: string) => `/${of}/${secret}`,
    (_: string, secret: string) => `/webhooks/w/${secret}`,
    (of: string, secret: string) => `/webhooks/w/${secret}/${of}`,
    (of: string, secret: string) => `/webhooks/w/${of.slice(1)}/${secret}`,
    (of: string, secret: string) => `/webhooks/w/${of}${secret}`,
    (of: string, secret: string) => `/webhooks/w/${of}?${secret}`,
    (of: string, secret: string) => `/webhooks/w/${of}%3F${secret}`,
    (of: string, secret: string) => `/webhooks/w/${of}#${secret}`,
    (of: string, secret: string) => `/%77ebhooks/w/${of}/${secret}`,
    (of: string, secret: string) => `/webhooks\\w\\${of}\\${secret}`,
    (of: string, secret: string) => `webhooks/w/${of}/${secret}`,
    (of: string, secret: string) => `ftp://mill.example/webhooks/w/${of}/${secret}`,
    (of: string, secret: string) => `/api/webhooks/w/${of}/${secret}`,
    (of: string, secret: string) => `/api/v1/webhooks/w/${of}/${secret}`,
    (of: string, secret: string) => `/api/v1/webhooks/${of}/${secret}`,
    (of: string, secret: string) => `/hooks/w/${of}/${secret}`,
    (of: string, secret: string) => `/hooks/git/w/${of}/${secret}`,
    (of: string, secret: string) => `/runs/webhooks%2fw%2f${of}%2f${secret}`,
    (_: string, secret: string) => `/${secret}`,
  ])("never has a token, however its URL was mistyped (%#)", (mistyped) => {
    fc.assert(
      fc.property(uid, token, (of, secret) => {
        expect(maskedPath(mistyped(of, secret))).not.toContain("SECRET");
      }),
    );
  });

  test("never has a token, whatever else is around it", () => {
    const piece = fc.oneof(
      fc.constantFrom(
        "/",
        "//",
        "%2f",
        "%2F",
        "\\",
        ";",
        "webhooks",
        "webhook",
        "WEBHOOKS",
        "w",
        "W",
        "v2",
        ".",
      ),
      fc.string({ maxLength: 6, unit: "grapheme-ascii" }).filter((text) => !/SECRET/.test(text)),
      uid,
    );
    const around = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(around, token, around, (before, secret, after) => {
        // What was really addressed to a page or to the API holds no credential of the ingress.
        const path = `/webhooks${before}/${secret}${after}`;
        expect(maskedPath(path)).not.toContain("SECRET");
      }),
      { numRuns: 2_000 },
    );
  });

  test.each([
    "/",
    "/healthz",
    "/api/v1/factories/mill/webhooks/ABCDEFGHIJKLMNOPQRSTUV/deliveries",
    "/api/v1/agent/runs/01890a5d-ac96-774b-bcce-b302099a8057",
    "/factories/mill/automations/triage/edit",
    "/hooks/git/mill",
    "/assets/index-B1a2.js",
  ])("is as it came for what is not the ingress: %s", (path) => {
    expect(maskedPath(path)).toBe(path);
  });
});
