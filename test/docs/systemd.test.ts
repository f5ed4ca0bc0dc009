import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const textOf = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

const UNITS = ["deploy/systemd/millrace.service", "deploy/systemd/worker/millrace-worker.service"];

test("what the systemd units start is put there by the commands of their page", () => {
  const commands = textOf("docs/deploying.md")
    .split("\n")
    .filter((line) => line.startsWith("    install "));
  const [server = "", worker = ""] = UNITS.map(
    (path) => /^ExecStart=(.*?[^\\])\n/ms.exec(textOf(path))?.[1] ?? "",
  );
  const [before = "", command = ""] = server.split(/(?<= -- )/);
  for (const path of command.match(/\/[^\s']+/g) ?? [])
    expect(commands.filter((line) => line.endsWith(` ${path}`))).toHaveLength(1);
  expect(worker.startsWith(`${before}${command.split(" ")[0]} worker `)).toBe(true);
});

test.each(UNITS)(
  "%s delegates its cgroup, and lets systemd kill nothing but its process after a crash",
  (path) => {
    const unit = textOf(path);
    expect(unit).toMatch(/^Delegate=cpu memory pids$/m);
    expect(unit).toMatch(/^KillMode=process$/m);
    expect(unit).toMatch(/^OOMPolicy=continue$/m);
    expect(unit).toMatch(/^MemoryMax=90%$/m);
    expect(unit).not.toMatch(/^ProtectControlGroups=/m);
    expect(unit).toMatch(/^PartOf=millrace\.target$/m);
  },
);

test("both units end what is left after a stop in the same way, and restrict agents equally", () => {
  const [server = "", worker = ""] = UNITS.map(textOf);
  const after = (unit: string) => unit.slice(unit.indexOf("ExecStopPost="), unit.indexOf("# Each run"));
  const restrictions = (unit: string) =>
    unit.slice(unit.indexOf("NoNewPrivileges="), unit.indexOf("[Install]"));
  expect(after(worker)).toBe(after(server));
  expect(restrictions(worker)).toBe(restrictions(server));
});

test("the systemd unit is reloaded by the signal that stops the server cleanly, and is started again after it", () => {
  const unit = textOf("deploy/systemd/millrace.service");
  expect(unit).toMatch(/^ExecReload=\/bin\/kill -HUP \$MAINPID$/m);
  expect(unit).toMatch(/^Restart=always$/m);
  expect(textOf("docs/deploying.md")).toContain("systemctl reload millrace");
});
