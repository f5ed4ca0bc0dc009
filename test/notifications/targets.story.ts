import { describe, expect, test } from "vitest";
import { mailServer } from "../given/mail-server.ts";
import { receiver, SIGNING_SECRET, serverThatTells, verified } from "../given/outbound.ts";
import { freePort } from "../given/port.ts";
import { waitFor } from "../given/server.ts";

const secret = { env: "NOTIFY_SECRET" };
const env = { NOTIFY_SECRET: SIGNING_SECRET };

describe("targets of the settings", () => {
  test("get the events that they name, of the factories that they name", async () => {
    const [blocked, ofOthers, slack] = [await receiver(), await receiver(), await receiver()];
    const { story, start } = await serverThatTells(
      {
        notifications: [
          { name: "ops", kind: "webhook", url: blocked.url, secret, events: ["run.blocked"] },
          {
            name: "other",
            kind: "webhook",
            url: ofOthers.url,
            secret,
            events: ["run.blocked"],
            factories: ["other"],
          },
          { name: "chat", kind: "slack", url: slack.url, events: ["run.blocked", "run.failed"] },
        ],
      },
      { env },
    );
    const { name: factory } = await story.factory();
    await start({ prompt: "PLEASE-ASK Which <!channel> & `<http://evil.test|one>`\n```\n@all", factory });
    await start({ prompt: "PLEASE-FAIL", factory });
    await waitFor(async () => slack.requests.length === 2);
    await waitFor(async () => blocked.requests.length === 1);
    expect(verified(blocked.requests[0] ?? fail())).toMatchObject({ type: "run.blocked" });
    expect(ofOthers.requests).toEqual([]);
    const question = slack.requests.find(({ json }) => json.text.includes("waiting"))?.json.text;
    expect(question).toContain(
      "```\nWhich &lt;!channel&gt; &amp; '&lt;http://evil.test|one&gt;'\n'''\n@all\n```",
    );
    expect(question).toMatch(/<http:\/\/[^|]+\/runs\/[^|]+\|Open in millrace>$/);
  });

  test("that are down get what happened meanwhile after the server was killed and started again, once", async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}/hook`;
    const settings = {
      notifications: [{ name: "ops", kind: "webhook", url, secret, events: ["run.failed"] }],
    };
    const first = await serverThatTells(settings, { env, sharesProcess: false });
    const { name: factory } = await first.story.factory();
    const id = await first.start({ prompt: "PLEASE-FAIL", factory });
    await first.story.ended(id);
    await waitFor(async () => first.server.log().includes("notification not sent"));
    await first.server.kill();
    const target = await receiver(port);
    const second = await serverThatTells(settings, { env, sharesProcess: false, before: first });
    await waitFor(async () => target.requests.length === 1, 60);
    expect(target.requests[0]?.json.data.run.id).toBe(id);
    await second.server.stop();
    expect(target.requests).toHaveLength(1);
  });

  test("that are down keep no other from getting its notifications", async () => {
    const [dead, alive] = [await receiver(), await receiver()];
    dead.answer(() => {});
    const events = ["run.failed", "run.blocked"];
    const { story, start } = await serverThatTells(
      {
        notifications: [
          { name: "dead", kind: "webhook", url: dead.url, secret, events },
          { name: "alive", kind: "webhook", url: alive.url, secret, events },
        ],
      },
      { env },
    );
    const { name: factory } = await story.factory();
    for (const word of ["one", "two", "three"]) await start({ prompt: `PLEASE-ASK ${word}`, factory });
    await waitFor(async () => alive.requests.length === 3);
    expect(dead.requests).toHaveLength(1);
  });

  test("that answer 410 get no more; those that answer 429 are asked again after as long as they say", async () => {
    const [gone, busy] = [await receiver(), await receiver()];
    gone.answer(410);
    busy.answer((response) => response.writeHead(429, { "retry-after": "1" }).end());
    const { story, start } = await serverThatTells(
      {
        notifications: [
          { name: "gone", kind: "webhook", url: gone.url, secret, events: ["run.blocked"] },
          { name: "busy", kind: "webhook", url: busy.url, secret, events: ["run.blocked"] },
        ],
      },
      { env },
    );
    const { name: factory } = await story.factory();
    await start({ prompt: "PLEASE-ASK one", factory });
    await waitFor(async () => gone.requests.length === 1 && busy.requests.length >= 1);
    busy.answer(204);
    // While it was waited for, it may have been asked again.
    const refused = busy.requests.length;
    await waitFor(async () => busy.requests.length > refused);
    const [before, after] = [busy.requests[0], busy.requests[refused]];
    expect(after?.headers["webhook-id"]).toBe(before?.headers["webhook-id"]);
    expect(after?.body).toBe(before?.body);
    await start({ prompt: "PLEASE-ASK two", factory });
    await waitFor(async () => busy.requests.length === refused + 2);
    expect(gone.requests).toHaveLength(1);
  });

  test("in the network of the server get nothing unless MILLRACE_OUTBOUND_ALLOW has them", async () => {
    const target = await receiver();
    const { story, start, server } = await serverThatTells(
      { notifications: [{ name: "ops", kind: "webhook", url: target.url, secret, events: ["run.blocked"] }] },
      { env: { ...env, MILLRACE_OUTBOUND_ALLOW: "10.0.0.0/8" } },
    );
    const { name: factory } = await story.factory();
    await start({ prompt: "PLEASE-ASK one", factory });
    await waitFor(async () => server.log().includes("MILLRACE_OUTBOUND_ALLOW"));
    expect(target.requests).toEqual([]);
    expect(server.log()).not.toContain(SIGNING_SECRET);
  });
});

function fail(): never {
  throw new Error("nothing was received");
}

const notifications = [
  { name: "mail", kind: "email", to: ["ops@example.com", "dev@example.com"], events: ["run.blocked"] },
];

describe("notifications by mail", () => {
  test("are plain text, and nothing of a title or a question becomes a header", async () => {
    const { port, mails } = await mailServer({ disabledCommands: ["STARTTLS"] });
    const smtp = {
      host: "127.0.0.1",
      port,
      user: "millrace",
      password: { env: "MAIL_PASSWORD" },
      from: "millrace@example.com",
      tls: "none",
    };
    const { story, start, server } = await serverThatTells(
      { smtp, notifications },
      { env: { MAIL_PASSWORD: "the mail password" } },
    );
    const { name: factory } = await story.factory();
    const title = "Review\r\nBcc: everyone@example.com";
    await start({
      prompt: "PLEASE-ASK Which\r\n.\r\nBcc: victim@example.com\r\n\r\n<b>one</b>?",
      title,
      factory,
    });
    const mail = await waitFor(async () => mails[0]);
    expect(mail).toMatchObject({
      from: "millrace@example.com",
      to: ["ops@example.com", "dev@example.com"],
      user: "millrace:the mail password",
    });
    const [head = "", ...body] = mail.text.split("\r\n\r\n");
    expect(head).toContain("Subject: [millrace] A run is waiting for an answer (factory acme)");
    expect(head).toContain("Content-Type: text/plain");
    expect(head).not.toContain("Bcc:");
    expect(body.join("\n")).toContain("> Bcc: victim@example.com");
    expect(body.join("\n")).toContain(`${server.url}/runs/`);
    expect(server.log()).not.toContain("the mail password");
  });

  test("are not sent in clear to a server that offers no TLS, unless the settings say so", async () => {
    const { port, mails } = await mailServer({ disabledCommands: ["STARTTLS"] });
    const smtp = { host: "127.0.0.1", port, from: "millrace@example.com" };
    const { story, start, server } = await serverThatTells({ smtp, notifications });
    const { name: factory } = await story.factory();
    await start({ prompt: "PLEASE-ASK one", factory });
    await waitFor(async () => /the mail server .*ETLS/.test(server.log()));
    expect(mails).toEqual([]);
  });

  test("go over TLS, whose certificate has to be that of the server", async () => {
    // The certificate of the test server is its own.
    const { port, mails } = await mailServer({ secure: true });
    const smtp = { host: "127.0.0.1", port, from: "millrace@example.com", tls: "implicit" };
    const { story, start, server } = await serverThatTells({ smtp, notifications });
    const { name: factory } = await story.factory();
    await start({ prompt: "PLEASE-ASK one", factory });
    await waitFor(async () => server.log().includes("the mail server could not be used"));
    expect(mails).toEqual([]);
  });
});
