import { createPrivateKey, sign as signWith } from "node:crypto";
import { sign as signGithub } from "@octokit/webhooks-methods";
import { Webhook as StandardWebhook } from "standardwebhooks";
import Stripe from "stripe";
import { Webhook as SvixWebhook } from "svix";
import { describe, expect, test } from "vitest";
import webhookSchema from "../../schemas/v1alpha1/webhook.schema.json" with { type: "json" };
import { SCHEMES } from "../../src/definitions/schemes.ts";
import { signDelivery } from "../../src/ingress/sign.ts";
import { check, NOW_SECONDS, signedWebhook } from "../given/sender.ts";

const BODY = '{"id":"evt_1","text":"naïve – ünïcode","number":1.0}';
const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

describe("a delivery that the official library signs is let in", () => {
  test("stripe, whose key is the secret with its whsec_", async () => {
    const header = await new Stripe("sk_test_none").webhooks.generateTestHeaderStringAsync({
      payload: BODY,
      secret: SECRET,
      timestamp: NOW_SECONDS,
    });
    const sent = { headers: { "Stripe-Signature": header }, body: BODY };
    expect(check(signedWebhook("stripe"), SECRET, sent)).toEqual({ ok: true, providerId: "evt_1" });
    expect(check(signedWebhook("stripe"), SECRET.slice(6), sent).ok).toBe(false);
  });

  test("github", async () => {
    const headers = {
      "X-Hub-Signature-256": await signGithub("secret", BODY),
      "X-GitHub-Delivery": "guid-1",
    };
    const sent = { headers, body: BODY };
    expect(check(signedWebhook("github"), "secret", sent)).toEqual({ ok: true, providerId: "guid-1" });
  });

  test.each(["svix", "webhook"])("standard webhooks, with the headers named %s-*", (name) => {
    const signature = new SvixWebhook(SECRET).sign("msg_1", new Date(NOW_SECONDS * 1_000), BODY);
    const headers = {
      [`${name}-id`]: "msg_1",
      [`${name}-timestamp`]: String(NOW_SECONDS),
      [`${name}-signature`]: signature,
    };
    expect(check(signedWebhook("standard_webhooks"), SECRET, { headers, body: BODY })).toEqual({
      ok: true,
      providerId: "msg_1",
    });
  });

  test("standard webhooks by its own library, with the secret's prefix left out", () => {
    const signature = new StandardWebhook(SECRET).sign("msg_2", new Date(NOW_SECONDS * 1_000), BODY);
    const headers = {
      "webhook-id": "msg_2",
      "webhook-timestamp": String(NOW_SECONDS),
      "webhook-signature": `v1,AAAA ${signature}`,
    };
    const sent = { headers, body: BODY };
    expect(check(signedWebhook("standard_webhooks"), SECRET.slice(6), sent).ok).toBe(true);
    expect(check(signedWebhook("gitlab"), SECRET, sent)).toEqual({ ok: true, providerId: "msg_2" });
  });
});

/** What the official libraries accept of our own signatures proves the way back: test deliveries look genuine. */
describe("a test delivery is accepted by the official library", () => {
  const signed = (scheme: string, body: string) =>
    signDelivery({
      webhook: signedWebhook(scheme),
      secret: SECRET,
      body: Buffer.from(body),
      id: "id_1",
      now: new Date(),
    }).headers;

  test("stripe", async () => {
    const header = signed("stripe", BODY)["stripe-signature"] ?? "";
    const event = await new Stripe("sk_test_none").webhooks.constructEventAsync(BODY, header, SECRET);
    expect(event.id).toBe("evt_1");
  });

  test("svix", () => {
    expect(new SvixWebhook(SECRET).verify(BODY, signed("standard_webhooks", BODY))).toMatchObject({
      id: "evt_1",
    });
  });
});

describe("a published vector is let in", () => {
  test.each<[string, string, string | Buffer, Record<string, string>, number?]>([
    [
      "github",
      "It's a Secret to Everybody",
      "Hello, World!",
      { "X-Hub-Signature-256": "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17" },
    ],
    [
      "github",
      "mysecret",
      '{"foo":"bar"}',
      { "X-Hub-Signature-256": "sha256=4864d2759938a15468b5df9ade20bf161da9b4f737ea61794142f3484236bda3" },
    ],
    [
      "standard_webhooks",
      SECRET,
      '{"test": 2432232314}',
      {
        "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
        "webhook-timestamp": "1614265330",
        "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
      },
      1_614_265_330,
    ],
    [
      "standard_webhooks",
      "whpk_1SiA4o9hyqTCpIqC5V9HUakiiaeACeqfZTInDBbOir4=",
      '{"test": 2432232314}',
      {
        "svix-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
        "svix-timestamp": "1614265330",
        "svix-signature":
          "v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCXe5BdqzCInXqYXFymVJaA7AZdpXwVLPo3mNl8EM+m7TBAg==",
      },
      1_614_265_330,
    ],
    [
      "slack",
      "8f742231b10e8888abcd99yyyzzz85a5",
      "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c",
      {
        "X-Slack-Signature": "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503",
        "X-Slack-Request-Timestamp": "1531420618",
      },
      1_531_420_618,
    ],
    [
      "pagerduty",
      "lDQHScfUeXUKaQRNF+8XIiDKZ7XX3itBAYzwU0TARw8lJqRnkKl2iB1anSb0Z+IK",
      pagerdutyIncident(),
      { "X-PagerDuty-Signature": "v1=0c0b9495b893a39e70d1fea2fe11fbe0a825f88b9f67846f6cc07dd2bc5476cd" },
    ],
  ])("%s, secret %s", (scheme, secret, body, headers, nowSeconds = NOW_SECONDS) => {
    expect(check(signedWebhook(scheme), secret, { headers, body, nowSeconds })).toMatchObject({ ok: true });
    const changed = Buffer.concat([Buffer.from(body), Buffer.from(" ")]);
    expect(check(signedWebhook(scheme), secret, { headers, body: changed, nowSeconds }).ok).toBe(false);
  });

  test("a custom scheme can describe a provider that has no row: Bitbucket's", () => {
    const webhook = signedWebhook("custom", {
      customScheme: { header: "X-Hub-Signature", prefix: "sha256=" },
    });
    const headers = {
      "X-Hub-Signature": "sha256=a4771c39fbe90f317c7824e83ddef3caae9cb3d976c214ace1f2937e133263c9",
    };
    const sent = { headers, body: "Hello World!" };
    expect(check(webhook, "It's a Secret to Everybody", sent)).toMatchObject({ ok: true });
  });

  test.each([
    ["secret", "hello world", "734cc62f32841568f45715aeb9f4d7891324e6d948e4c6c60c0621cdac48623a"],
    ["another-secret", "lalala", "daa220016c8f29a8b214fbfc3671aeec2145cfb1e6790184ffb38b6d0425fa00"],
    [
      "hunter123",
      "an-important-request-payload",
      "9be2242094a9a8c00c64306f382a7f9d691de910b4a266f67bd314ef18ac49fa",
    ],
  ])("and CircleCI's: %s", (secret, body, digest) => {
    const webhook = signedWebhook("custom", {
      customScheme: { header: "circleci-signature", separator: ",", prefix: "v1=" },
    });
    const sent = { headers: { "circleci-signature": `v0=00,v1=${digest},v2=00` }, body };
    expect(check(webhook, secret, sent)).toMatchObject({ ok: true });
  });

  test("and Paddle's, with a timestamp in the signature header", () => {
    const webhook = signedWebhook("custom", {
      customScheme: {
        header: "Paddle-Signature",
        separator: ";",
        prefix: "h1=",
        signed: ["timestamp", { text: ":" }, "body"],
        timestamp: { entry: "ts=", tolerance: 5 },
      },
    });
    const published = {
      headers: {
        "paddle-signature":
          "ts=1698796800;h1=a300428748dce5c70e4da19bffd60769591ea969c99dea3105d0ec9612cf43f9",
      },
      body: '{"data": ["1", "2"]}',
      nowSeconds: 1_698_796_800,
    };
    expect(check(webhook, "VALID_SECRET", published)).toMatchObject({ ok: true });
    const { headers } = signDelivery({
      webhook,
      secret: "VALID_SECRET",
      body: Buffer.from(BODY),
      id: "1",
      now: new Date(NOW_SECONDS * 1_000),
    });
    expect(headers["paddle-signature"]).toMatch(/^ts=1795262400;h1=[0-9a-f]{64}$/);
    const late = { headers, body: BODY, nowSeconds: NOW_SECONDS + 6 };
    expect(check(webhook, "VALID_SECRET", { headers, body: BODY })).toMatchObject({ ok: true });
    expect(check(webhook, "VALID_SECRET", late)).toMatchObject({
      ok: false,
      reason: expect.stringContaining("6 s old"),
    });
  });
});

describe("every scheme of the table", () => {
  const LINEAR_BODY = JSON.stringify({ id: "evt_1", webhookTimestamp: NOW_SECONDS * 1_000 });
  const secretOf = (scheme: string) => (scheme === "gitlab" ? "a-plain-token" : SECRET);

  test.each(Object.keys(SCHEMES))(
    "%s lets in what is signed for it, and nothing that was changed",
    (scheme) => {
      const webhook = signedWebhook(scheme);
      const secret = secretOf(scheme);
      const { headers } = signDelivery({
        webhook,
        secret,
        body: Buffer.from(LINEAR_BODY),
        id: "id-1",
        now: new Date(NOW_SECONDS * 1_000),
      });
      const sent = { headers, body: LINEAR_BODY };
      expect(check(webhook, secret, sent)).toMatchObject({ ok: true });
      expect(check(webhook, `${secret}A`, sent).ok).toBe(false);
      for (const name of Object.keys(headers).filter(
        (header) => !/delivery|request-id|idempotency/.test(header),
      )) {
        const { [name]: left, ...rest } = headers;
        expect(check(webhook, secret, { headers: rest, body: LINEAR_BODY }).ok).toBe(false);
        const changed = { ...headers, [name]: `${left?.slice(0, -1)}${left?.endsWith("0") ? "1" : "0"}` };
        expect(check(webhook, secret, { headers: changed, body: LINEAR_BODY }).ok).toBe(false);
      }
      if (scheme !== "gitlab") {
        expect(check(webhook, secret, { headers, body: LINEAR_BODY.replace("evt_1", "evt_2") }).ok).toBe(
          false,
        );
      }
    },
  );

  test("can be written in a webhook file, and none beside them but custom", () => {
    const names = webhookSchema.properties.signatureScheme.enum;
    expect([...names].sort()).toEqual([...Object.keys(SCHEMES), "custom"].sort());
  });

  test.each(Object.keys(SCHEMES))("%s lets nobody in with a blank secret", (scheme) => {
    for (const secret of ["", " ", "whsec_"]) {
      const sent = { headers: { "x-hub-signature-256": "sha256=", "x-gitlab-token": secret }, body: "" };
      expect(check(signedWebhook(scheme), secret, sent).ok).toBe(false);
    }
  });
});

test("a signature by an Ed25519 key is let in under its public half", () => {
  const seed = Buffer.from("6Xb/dCcHpPea21PS1N9VY/NZW723CEc77N4rJCubMbc=", "base64");
  const key = createPrivateKey({
    key: Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), seed]),
    format: "der",
    type: "pkcs8",
  });
  const signature = signWith(null, Buffer.from(`msg.${NOW_SECONDS}.${BODY}`), key).toString("base64");
  const headers = {
    "webhook-id": "msg",
    "webhook-timestamp": String(NOW_SECONDS),
    "webhook-signature": `v1,AAAA v1a,${signature}`,
  };
  const publicKey = "whpk_1SiA4o9hyqTCpIqC5V9HUakiiaeACeqfZTInDBbOir4=";
  expect(check(signedWebhook("standard_webhooks"), publicKey, { headers, body: BODY }).ok).toBe(true);
  // Another spelling of the same bytes is not what was sent.
  const unpadded = { ...headers, "webhook-signature": `v1a,${signature.replace(/=+$/, "")}` };
  expect(check(signedWebhook("standard_webhooks"), publicKey, { headers: unpadded, body: BODY }).ok).toBe(
    false,
  );
});

/** The event of PagerDuty's own client library's tests. */
function pagerdutyIncident(): string {
  const reference = (
    kind: string,
    id: string,
    path: string,
    summary: string,
    type = `${kind}_reference`,
  ) => ({
    html_url: `https://acme.pagerduty.com/${path}/${id}`,
    id,
    self: `https://api.pagerduty.com/${path}/${id}`,
    summary,
    type,
  });
  return JSON.stringify({
    event: {
      id: "01BWDWL3NYY7LUFPZCC28QUCMK",
      event_type: "incident.priority_updated",
      resource_type: "incident",
      occurred_at: "2021-04-26T17:36:27.458Z",
      agent: reference("user", "PLH1HKV", "users", "Tenex Engineer"),
      client: null,
      data: {
        id: "PGR0VU2",
        type: "incident",
        self: "https://api.pagerduty.com/incidents/PGR0VU2",
        html_url: "https://acme.pagerduty.com/incidents/PGR0VU2",
        number: 2,
        status: "triggered",
        title: "A little bump in the road",
        service: reference("service", "PF9KMXH", "services", "API Service"),
        assignees: [reference("user", "PTUXL6G", "users", "User 123")],
        escalation_policy: reference("escalation_policy", "PUS0KTE", "escalation_policies", "Default"),
        teams: [reference("team", "PFCVPS0", "teams", "Engineering")],
        priority: {
          html_url: "https://acme.pagerduty.com/account/incident_priorities",
          id: "PSO75BM",
          self: "https://api.pagerduty.com/priorities/PSO75BM",
          summary: "P1",
          type: "priority_reference",
        },
        urgency: "high",
        conference_bridge: { conference_number: 1000, conference_url: "https://example.com" },
        resolve_reason: null,
      },
    },
  });
}
