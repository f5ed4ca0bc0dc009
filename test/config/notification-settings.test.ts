import { expect, test } from "vitest";
import { loadConfig } from "../../src/config/load-config.ts";

const load = (content: Record<string, unknown>) => () =>
  loadConfig({ file: { path: "millrace.yaml", content } });
const mail = { name: "m", kind: "email" as const, to: "a@example.com", events: ["run.failed" as const] };

test("targets of one name, mail without smtp, and a user without a password are refused", () => {
  expect(load({ notifications: [mail, mail], smtp: { host: "h", from: "a@example.com" } })).toThrow(
    'two have the name "m"',
  );
  expect(load({ notifications: [mail] })).toThrow("smtp: is not set");
  expect(load({ smtp: { host: "h", from: "a@example.com", user: "u" } })).toThrow(
    "user is set without password",
  );
});

test.each([
  [{}, "starttls"],
  [{ port: 465 }, "implicit"],
])("%j is protected by %s", async (smtp, tls) => {
  const { smtpTlsOf } = await import("../../src/config/notification-settings.ts");
  expect(smtpTlsOf(smtp)).toBe(tls);
});
