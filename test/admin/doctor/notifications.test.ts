import { expect, test } from "vitest";
import { examineNotifications } from "../../../src/admin/doctor/notifications.ts";
import type { NotificationSetting } from "../../../src/config/notification-settings.ts";

const target = (name: string, change: Partial<NotificationSetting>): NotificationSetting => ({
  name,
  kind: "webhook",
  url: "https://hooks.example.com/",
  secret: { env: "THERE" },
  events: ["run.failed"],
  ...change,
});

test("doctor names targets whose secret is missing or whose address is not allowed, and passwords in clear", async () => {
  const findings = await examineNotifications(
    {
      notifications: [
        target("good", {}),
        target("allowed", { url: "http://10.0.0.1/" }),
        target("secretless", { secret: { env: "MISSING" } }),
        target("inside", { url: "http://[::1]:8080/" }),
      ],
      outbound: [
        { name: "events", url: "http://192.168.0.1/", secret: { env: "THERE" }, events: ["run.ended"] },
      ],
      smtp: { host: "mail", from: "a@example.com", user: "a", password: { env: "THERE" }, tls: "none" },
      outboundAllow: ["10.0.0.0/8"],
    },
    { THERE: "a secret" },
  );
  expect(findings.map(({ check, status }) => [check, status])).toEqual([
    ["notifications good", "ok"],
    ["notifications allowed", "ok"],
    ["notifications secretless", "error"],
    ["notifications inside", "error"],
    ["outbound events", "error"],
    ["smtp", "warning"],
  ]);
  expect(JSON.stringify(findings)).not.toContain("a secret");
});
