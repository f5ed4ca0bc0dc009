import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const promtool = (...args: string[]) => execFileSync("promtool", args, { encoding: "utf8" });

test("Prometheus takes the alert rules, and they fire when they should and not before", () => {
  expect(promtool("check", "rules", at("../../deploy/prometheus/millrace.rules.yml"))).toContain("SUCCESS");
  expect(promtool("test", "rules", at("alerts.yml"))).toContain("SUCCESS");
});
