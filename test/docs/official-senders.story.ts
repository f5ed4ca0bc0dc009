import { sign as signGithub } from "@octokit/webhooks-methods";
import { Webhook as StandardWebhook } from "standardwebhooks";
import Stripe from "stripe";
import { Webhook as SvixWebhook } from "svix";
import { expect, test } from "vitest";
import { filesShownIn } from "../given/browser.ts";
import { serving } from "../given/serving.ts";
import { blocksOf } from "../given/shell.ts";

/** In the form of Standard Webhooks; GitHub and Stripe take it as the text that it is. */
const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

/** How the sender of a page signs, by its own library. */
const SENDERS = [
  {
    page: "github",
    headers: async (body: string) => ({
      "x-github-event": "issues",
      "x-github-delivery": "72d3162e-cc78-11e3-81ab-4c9367dc0958",
      "x-hub-signature-256": await signGithub(SECRET, body),
    }),
  },
  {
    page: "stripe",
    headers: async (body: string) => ({
      "stripe-signature": await new Stripe("sk_test_none").webhooks.generateTestHeaderStringAsync({
        payload: body,
        secret: SECRET,
      }),
    }),
  },
  { page: "gitlab", headers: async (body: string) => standardHeaders(new StandardWebhook(SECRET), body) },
  { page: "gitlab", headers: async (body: string) => standardHeaders(new SvixWebhook(SECRET), body) },
];

function standardHeaders(signer: StandardWebhook | SvixWebhook, body: string) {
  const now = new Date();
  return {
    "webhook-id": "msg_1",
    "webhook-timestamp": String(Math.floor(now.getTime() / 1_000)),
    "webhook-signature": signer.sign("msg_1", now, body),
  };
}

/** The body that a page writes into a file to try itself with. */
function bodyOn(page: string): string {
  const [, body] = /<<'END'\n([\s\S]*?)\nEND$/m.exec(blocksOf(page, "sh how-to").join("\n")) ?? [];
  if (body === undefined) throw new Error(`${page} shows no body`);
  return body;
}

test.each(SENDERS)(
  "what docs/how-to/$page.md sets up takes what the official library signs, once, and nothing else",
  async ({ page, headers }) => {
    const path = `docs/how-to/${page}.md`;
    const files = filesShownIn(path);
    const [, secretName = ""] =
      /secretName: (\w+)/.exec(files[`webhooks/${page}.yaml`]?.toString() ?? "") ?? [];
    const { story } = await serving(files, { [secretName]: SECRET });
    const { url, uid } = await story.webhook(page);
    const body = bodyOn(path);
    const signed = await headers(body);
    const post = (text: string) => fetch(url, { method: "POST", headers: signed, body: text });

    const first = await post(body);
    expect(first.status).toBe(202);
    const { delivery_id } = (await first.json()) as { delivery_id: string };
    expect((await story.endedRunOf(delivery_id)).state).toBe("SUCCEEDED");

    expect(await (await post(body)).json()).toEqual({ delivery_id });
    expect((await post(`${body} `)).status).toBe(401);
    const outcomes = (await story.deliveries(uid)).map(({ outcome }) => outcome);
    expect(outcomes).toEqual(["Rejected (auth)", "Duplicate", "Accepted"]);
  },
);
