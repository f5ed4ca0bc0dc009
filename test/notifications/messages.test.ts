import { describe, expect, test } from "vitest";
import { detail, line } from "../../src/messages/notifications.ts";
import type { NotificationContent } from "../../src/messages/outbox.ts";
import { slackText } from "../../src/messages/send.ts";
import { mailText } from "../../src/messages/send-mail.ts";

const CONTENT: NotificationContent = {
  event: "run.blocked",
  at: "2026-11-21T10:00:00.000Z",
  summary: "A run is waiting for an answer (automation <!here>*x*, factory acme)",
  url: "https://millrace.example.com/runs/1?a=1&b=2",
  factory: { uid: "u", name: "acme" },
  run: { id: "1", title: "`a` <@U123> & co", state: "BLOCKED", automation: "review", agent: "boss" },
  detail: "```\n<https://evil.test|click>\n@channel [x](https://evil.test)",
};

describe("texts of others", () => {
  test("lose control characters and what turns the direction of writing", () => {
    expect(line("a\u0000b\u001b[31m\nc\u202ed\u200be\r\nf")).toBe("ab[31m cde f");
    expect(detail("a\r\nb\u0007\tc\u2066")).toBe("a\nb c");
  });

  test("are cut, and never within a character", () => {
    expect(line("x".repeat(300))).toHaveLength(200);
    expect(detail(`${"x".repeat(1_498)}😀😀`)).toBe(`${"x".repeat(1_498)}…`);
  });
});

describe("a message to Slack", () => {
  const text = slackText(CONTENT);

  test("has texts of others in code, which they cannot leave", () => {
    expect(text).toContain("`'a' &lt;@U123&gt; &amp; co`");
    expect(text).toContain("```\n'''\n&lt;https://evil.test|click&gt;\n@channel [x](https://evil.test)\n```");
    expect(text.match(/```/g)).toHaveLength(2);
  });

  test("has no link and no mention but the one to the page", () => {
    expect(text.match(/<[^>]*>/g)).toEqual([
      "<https://millrace.example.com/runs/1?a=1&amp;b=2|Open in millrace>",
    ]);
  });
});

test("a mail quotes each line of the text of others", () => {
  expect(mailText(CONTENT)).toContain(
    "> ```\n> <https://evil.test|click>\n> @channel [x](https://evil.test)\n",
  );
});
