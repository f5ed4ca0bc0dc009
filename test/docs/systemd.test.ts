import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const textOf = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

test("what the systemd unit starts is put there by the commands of its page", () => {
  const [, command = ""] = /^ExecStart=(.*)$/m.exec(textOf("deploy/systemd/millrace.service")) ?? [];
  const commands = textOf("docs/deploying.md")
    .split("\n")
    .filter((line) => line.startsWith("    install "));
  for (const path of command.match(/\/\S+/g) ?? [])
    expect(commands.filter((line) => line.endsWith(` ${path}`))).toHaveLength(1);
});

test("the systemd unit is reloaded by the signal that stops the server cleanly, and is started again after it", () => {
  const unit = textOf("deploy/systemd/millrace.service");
  expect(unit).toMatch(/^ExecReload=\/bin\/kill -HUP \$MAINPID$/m);
  expect(unit).toMatch(/^Restart=always$/m);
  expect(textOf("docs/deploying.md")).toContain("systemctl reload millrace");
});
