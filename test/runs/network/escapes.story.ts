import { execFileSync } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { heldSandbox } from "../../given/held-program.ts";
import { SERVERS } from "../../given/sandbox-of.ts";
import { surroundings } from "../../given/surroundings.ts";
import { KINDS, rawTries, SENDER, SOCKET_KINDS, shellTries } from "./escape-tries.ts";

/** A held network with a list, and what lies around it. */
async function surrounded(server: "root" | "nobody") {
  const { places, seen, policy, apiUrl } = await surroundings();
  return { places, seen, sandbox: await heldSandbox(policy, { server, apiUrl }) };
}

describe.each(SERVERS)("out of a held network of a server that is %s", (server) => {
  test("no bytes that a program sends to its proxy lead beyond the list", async () => {
    const { places, seen, sandbox } = await surrounded(server);
    const tries = rawTries(places);
    writeFileSync(join(sandbox.workspace, "tries.json"), JSON.stringify(tries));
    writeFileSync(join(sandbox.workspace, "send.cjs"), SENDER);
    const { said, refused } = await sandbox.run(["node", "send.cjs"]);
    const answers: Record<string, string> = JSON.parse(said);
    expect(Object.keys(answers)).toEqual(Object.keys(tries));
    const escaped = Object.entries(answers).filter(([, answer]) => answer.includes("WITNESS"));
    expect(escaped).toEqual([]);
    expect(seen).toEqual([]);
    expect(Object.keys(tries).length).toBeGreaterThanOrEqual(55);
    const reasons = new Set(refused.map(({ reason }) => reason));
    expect([...reasons].sort()).toEqual(["host_mismatch", "invalid", "not_allowed", "private_address"]);
    // No name of these was looked up: a name server would have been told what stands in it.
    expect(refused).toContainEqual(
      expect.objectContaining({ host: "c2vjcmv0.evil.example", reason: "not_allowed" }),
    );
  });

  test("no command finds another way", async () => {
    const { places, seen, sandbox } = await surrounded(server);
    for (const [name, command] of Object.entries(shellTries(places))) {
      const { said } = await sandbox.sh(`${command}\ntrue`);
      expect(said.includes("ESCAPED"), name).toBe(false);
      expect(seen, name).toEqual([]);
    }
  });

  test("no other kind of socket can be opened, where the kernel has it", async () => {
    const { sandbox } = await surrounded(server);
    writeFileSync(join(sandbox.folder, "kinds.c"), SOCKET_KINDS);
    execFileSync("cc", ["-o", join(sandbox.workspace, "kinds"), join(sandbox.folder, "kinds.c")]);
    chmodSync(join(sandbox.workspace, "kinds"), 0o755);
    for (const kind of KINDS) {
      const { code } = await sandbox.run([join(sandbox.workspace, "kinds"), kind]);
      expect([1, 3], kind).toContain(code);
    }
    const uring = await sandbox.run([join(sandbox.workspace, "kinds"), "uring"]);
    expect(uring.code).toBe(3);
  });
});
