import { describe, expect, test } from "vitest";
import type { Webhook } from "../../src/definitions/definition.ts";
import { anIngress, githubSignature } from "../given/ingress.ts";
import { answerAfterAborted, rawPost, sendRaw } from "../given/raw-http.ts";
import { post, signedWebhook } from "../given/sender.ts";

const SECRET = "the-secret";
const SIGNED = signedWebhook("github");
const TOKEN: Webhook = {
  name: "hook",
  path: "webhooks/hook.yaml",
  authMode: "token",
  secretName: "HOOK_SECRET",
  enabled: true,
};
const LARGE = `"${"x".repeat(262_143)}"`;

const bearer = (token = SECRET) => ({ authorization: `Bearer ${token}` });
const signed = (body: string, secret = SECRET) => githubSignature(body, secret);
const statusOf = async (answer: Promise<Response>) => (await answer).status;

describe("the budget of a webhook", () => {
  test("is left alone by forged requests, whose signature has to be right first", async () => {
    const { url } = await anIngress(SIGNED, SECRET, { deliveriesPerMinute: 2 });
    const send = (body: string, secret?: string) => statusOf(post(url, body, signed(body, secret)));
    for (let n = 0; n < 5; n += 1) expect(await send(`{"forged":${n}}`, "guessed")).toBe(401);
    expect([await send("[1]"), await send("[2]"), await send("[3]")]).toEqual([202, 202, 429]);
  });

  test.each([
    ["a token", TOKEN, () => bearer()],
    ["a signature", SIGNED, (body: string) => signed(body)],
  ])("is asked before a body that came with %s is read as JSON", async (_, webhook, headers) => {
    const { url, outcomes } = await anIngress(webhook, SECRET, { deliveriesPerMinute: 1 });
    expect(await statusOf(post(url, "{}", headers("{}")))).toBe(202);
    expect(await statusOf(post(url, "no JSON", headers("no JSON")))).toBe(429);
    expect(await outcomes()).toEqual(["Accepted"]);
  });
});

describe("an address that has failed too often", () => {
  test("is answered before any of its body is read, a body that is too large among them", async () => {
    const { url, outcomes } = await anIngress(SIGNED, SECRET, { failuresPerMinute: 1 });
    expect(await statusOf(post(url, "{}", signed("{}", "guessed")))).toBe(401);
    const announced = sendRaw(url, [rawPost(url, { ...signed("{}"), "content-length": "2" })], {
      answers: 1,
    });
    expect((await announced).statuses).toEqual([429]);
    expect(await statusOf(post(url, LARGE))).toBe(429);
    expect(await outcomes()).toEqual(["Rejected (auth)"]);
  });
});

describe("a failure that counts for the sender's address", () => {
  const options = { failuresPerMinute: 1, room: { bytes: 10_000, bodies: 1 } };
  let count = 0;
  /** The first answer after a body of the same sender was not sent to its end. */
  const afterAborted = (url: string, headers: (body: string) => Record<string, string>) =>
    answerAfterAborted(url, headers("{}"), () => {
      count += 1;
      return statusOf(post(url, `[${count}]`, headers(`[${count}]`)));
    });

  test("is a body that is not sent completely, when its sender has not authenticated", async () => {
    const { url } = await anIngress(SIGNED, SECRET, options);
    expect(await afterAborted(url, signed)).toBe(429);
  });

  test("is not a body of a sender with the right token, even when it is too large or not sent completely", async () => {
    const { url } = await anIngress(TOKEN, SECRET, options);
    expect(await statusOf(post(url, LARGE, bearer()))).toBe(413);
    expect(await afterAborted(url, () => bearer())).toBe(202);
  });
});

describe("a definition that becomes active while a body is on its way", () => {
  /** Sends the first bytes of a delivery, and the rest when something has been done. */
  async function across(url: string, token: string, between: () => void): Promise<number[]> {
    const body = '{"n":1}';
    const headers = { ...bearer(token), "content-length": String(body.length) };
    const sent = sendRaw(url, [rawPost(url, headers, body.slice(0, 3)), 200, body.slice(3)], {
      answers: 1,
    });
    setTimeout(between, 100);
    return (await sent).statuses;
  }

  test("refuses the previous token, and deliveries to a webhook that it does not have", async () => {
    const { url, define } = await anIngress(TOKEN, SECRET, {});
    expect(await across(url, SECRET, () => define(TOKEN, "the-new-one"))).toEqual([401]);
    expect(await across(url, "the-new-one", () => define({ ...TOKEN, authMode: "url_token" }))).toEqual([
      401,
    ]);
    define(TOKEN);
    expect(await across(url, SECRET, () => define(undefined))).toEqual([404]);
    define(TOKEN);
    expect(await across(url, SECRET, () => define(TOKEN))).toEqual([202]);
  });
});

test("naming the ID header in the settings does not make a delivery new that was known by that header", async () => {
  const { url, define } = await anIngress(SIGNED, SECRET, {});
  const send = async (body: string) => {
    const answer = await post(url, body, { ...signed(body), "x-github-delivery": "d-1" });
    return ((await answer.json()) as { delivery_id: string }).delivery_id;
  };
  const first = await send("[1]");
  define({ ...SIGNED, deliveryIdHeader: "X-GitHub-Delivery" });
  expect(await send("[2]")).toBe(first);
});
