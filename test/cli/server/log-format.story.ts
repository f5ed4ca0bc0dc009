import { expect, test } from "vitest";
import { textLine } from "../../../src/cli/log-lines.ts";
import { automationOn, FACTORY, TOKEN_WEBHOOK } from "../../given/definition.ts";
import { serving } from "../../given/serving.ts";

const files = { ...FACTORY, "webhooks/ci.yaml": TOKEN_WEBHOOK, "automations/a.md": automationOn(["ci"]) };

async function logOf(format: string): Promise<() => string> {
  const { server, story } = await serving(
    files,
    { CI_SECRET: "x" },
    {
      env: { MILLRACE_LOG_FORMAT: format },
      agent: "process.exit(3)",
      sharesProcess: false,
    },
  );
  const delivery = await story.accept(await story.urlOf("ci"), "x", "{}");
  await story.endedRunOf(delivery);
  return () => server.log();
}

test("with MILLRACE_LOG_FORMAT=text, the log tells a delivery, the run that it started, and how that ended", async () => {
  const log = await logOf("text");
  await expect
    .poll(log)
    .toMatch(
      /^\d\d:\d\d:\d\d {2}run {2}run=\S+ {2}delivery=\S+ {2}title=.* state=FAILED {2}why=The agent exited with code 3\.$/m,
    );
  expect(log()).toMatch(/^\d\d:\d\d:\d\d {2}delivery {2}delivery=\S+ {2}webhook=ci {2}outcome=Accepted$/m);
  expect(log()).toMatch(/ state=QUEUED$/m);
});

test("where nobody watches, the log consists of JSON lines without deliveries", async () => {
  const log = await logOf("auto");
  await expect.poll(log).toContain("turn ended");
  const lines = log()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.filter(({ msg }) => msg === "delivery")).toEqual([]);
});

test("a line shows what would control the terminal, or begin another line, as text", () => {
  const line = textLine(
    { level: "warn", time: "2026-01-02T03:04:05.000Z", msg: "run", title: "a\n\x1b[2Jb" },
    false,
  );
  expect(line).toBe("03:04:05 WARN  run  title=a \\x1b[2Jb");
});
