import { describe, expect, test } from "vitest";
import { mailServer } from "../given/mail-server.ts";
import { waitFor } from "../given/server.ts";
import { serverThatTells } from "../given/told-server.ts";

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
