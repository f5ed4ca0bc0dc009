import { execFileSync, spawn } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { onFinished } from "./cleanup.ts";
import { temporaryFolder } from "./folder.ts";
import { freePort } from "./port.ts";

export interface SshHost {
  /** The ssh URL of a path on this machine. */
  urlOf(path: string): string;
  /** A key that may log in, and one that may not. */
  deployKey: string;
  strangerKey: string;
  /** A known_hosts file with the host's key. */
  knownHosts: string;
  /** Lets another key log in instead of the present one. */
  authorize(key: string): void;
}

/**
 * A real ssh server on loopback, which lets the user of the tests in with a deploy key.
 * @param environment what its sessions have beyond their own, or in its place
 */
export async function sshHost(environment: Record<string, string> = {}): Promise<SshHost> {
  const folder = temporaryFolder("millrace-ssh");
  const key = (name: string) => {
    const path = join(folder, name);
    execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", path]);
    return path;
  };
  const [hostKey, deployKey, strangerKey] = [key("host"), key("deploy"), key("stranger")];
  const authorized = join(folder, "authorized_keys");
  const authorize = (path: string) => writeFileSync(authorized, readFileSync(`${path}.pub`));
  authorize(deployKey);
  const port = await freePort();
  const knownHosts = join(folder, "known_hosts");
  writeFileSync(knownHosts, `[127.0.0.1]:${port} ${readFileSync(`${hostKey}.pub`, "utf8")}`);
  const config = join(folder, "sshd_config");
  writeFileSync(
    config,
    [
      `Port ${port}`,
      "ListenAddress 127.0.0.1",
      `HostKey ${hostKey}`,
      `AuthorizedKeysFile ${authorized}`,
      `PidFile ${join(folder, "pid")}`,
      "StrictModes no",
      "UsePAM no",
      "PasswordAuthentication no",
      "PermitRootLogin prohibit-password",
      `SetEnv ${["LANG=C", ...Object.entries(environment).map(([name, value]) => `${name}="${value}"`)].join(" ")}`,
    ].join("\n"),
  );
  chmodSync(folder, 0o700);
  if (userInfo().uid === 0) mkdirSync("/run/sshd", { recursive: true });
  const server = spawn(sshdPath(), ["-D", "-e", "-f", config], { stdio: "ignore" });
  onFinished(() => {
    server.kill();
  });
  await waitForPort(port);
  return {
    urlOf: (path) => `ssh://${userInfo().username}@127.0.0.1:${port}${path}`,
    deployKey,
    strangerKey,
    knownHosts,
    authorize,
  };
}

function sshdPath(): string {
  const env = { PATH: `${process.env.PATH}:/usr/sbin:/sbin` };
  return execFileSync("sh", ["-c", "command -v sshd"], { env, encoding: "utf8" }).trim();
}

async function waitForPort(port: number): Promise<void> {
  const { connect } = await import("node:net");
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const open = await new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1", () => {
        socket.destroy();
        resolve(true);
      });
      socket.on("error", () => resolve(false));
    });
    if (open) return;
    await sleep(50);
  }
  throw new Error("the ssh server did not start");
}
