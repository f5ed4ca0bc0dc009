import { describe, expect, test } from "vitest";
import { signDelivery } from "../../src/ingress/test-delivery.ts";
import { BODY_TO_SIGN, check, hmacOf, NOW_SECONDS, SIGNING_SECRET, signedWebhook } from "../given/sender.ts";

describe("a published vector is accepted", () => {
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
      SIGNING_SECRET,
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

  test("and Box's, with a date and its offset behind the body", () => {
    const webhook = signedWebhook("custom", {
      customScheme: {
        header: "BOX-SIGNATURE-PRIMARY",
        encoding: "base64",
        signed: ["body", "timestamp"],
        timestamp: { header: "BOX-DELIVERY-TIMESTAMP", unit: "iso", tolerance: 600 },
      },
    });
    const sent = {
      headers: {
        "box-delivery-timestamp": "2020-01-01T00:00:00-07:00",
        "box-signature-primary": "6TfeAW3A1PASkgboxxA5yqHNKOwFyMWuEXny/FPD5hI=",
      },
      body: '{"type":"webhook_event","webhook":{"id":"1234567890"},"trigger":"FILE.UPLOADED","source":{"id":"1234567890","type":"file","name":"Test.txt"}}',
    };
    const time = Date.UTC(2020, 0, 1, 7) / 1_000;
    expect(check(webhook, "SamplePrimaryKey", { ...sent, nowSeconds: time + 600 })).toMatchObject({
      ok: true,
    });
    expect(check(webhook, "SamplePrimaryKey", { ...sent, nowSeconds: time + 601 }).ok).toBe(false);
  });

  test("and Square's, which signs the URL before the body", () => {
    const url = "https://millrace.example.com/webhooks/w/5f2c1f5e-0d0c-4c0e-8a55-7a8f1b6f3f11";
    const webhook = signedWebhook("custom", {
      customScheme: {
        header: "x-square-hmacsha256-signature",
        encoding: "base64",
        signed: [{ text: url }, "body"],
      },
    });
    const signature = Buffer.from(hmacOf(url + BODY_TO_SIGN), "hex").toString("base64");
    const sent = { headers: { "x-square-hmacsha256-signature": signature }, body: BODY_TO_SIGN };
    expect(check(webhook, SIGNING_SECRET, sent)).toMatchObject({ ok: true });
    expect(check(webhook, SIGNING_SECRET, { ...sent, body: `${BODY_TO_SIGN} ` }).ok).toBe(false);
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
      body: Buffer.from(BODY_TO_SIGN),
      id: "1",
      now: new Date(NOW_SECONDS * 1_000),
    });
    expect(headers["paddle-signature"]).toMatch(/^ts=1795262400;h1=[0-9a-f]{64}$/);
    const late = { headers, body: BODY_TO_SIGN, nowSeconds: NOW_SECONDS + 6 };
    expect(check(webhook, "VALID_SECRET", { headers, body: BODY_TO_SIGN })).toMatchObject({ ok: true });
    expect(check(webhook, "VALID_SECRET", late)).toMatchObject({
      ok: false,
      reason: expect.stringContaining("6 s old"),
    });
  });
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
