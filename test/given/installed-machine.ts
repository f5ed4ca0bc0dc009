import type { Files } from "./folder.ts";
import { bootMachine, type Machine } from "./machine.ts";

const KEY = "the-admin-key-of-this-machine-1";

/** The steps of docs/deploying.md, as an operator types them. */
const INSTALL = `
  useradd --system --add-subids-for-system --home-dir /var/lib/millrace millrace
  install -m 755 /given/millrace /usr/local/bin/millrace
  install -D -m 644 /given/millrace.yaml /etc/millrace/millrace.yaml
  install -m 600 /given/environment /etc/millrace/environment
  install -m 644 /given/systemd/millrace.* /etc/systemd/system/
  systemctl daemon-reload && systemctl enable --now millrace.socket millrace.service`;

export interface InstalledMachine extends Machine {
  /** A command of millrace, with the admin key. */
  millrace(command: string): Promise<string>;
  /** Waits until the server is ready. */
  ready(): Promise<unknown>;
}

/**
 * Boots a machine, and installs the shipped unit there with an agent and a factory.
 * @param agent a bash script
 * @param factory the files of its definition; without any, millrace keeps the factory
 */
export async function installedMachine(agent: string, factory: Files = {}): Promise<InstalledMachine> {
  const hasFactory = Object.keys(factory).length > 0;
  const ofFactory = Object.entries(factory).map(([path, text]) => [`factory/${path}`, text] as const);
  const machine = await bootMachine(
    {
      "millrace.yaml": hasFactory ? "factories: [{ source: /srv/factory }]\n" : "factories: []\n",
      environment: [
        `MILLRACE_ADMIN_KEY=${KEY}`,
        'MILLRACE_AGENT_COMMAND="/bin/bash /srv/agent/agent.sh"',
        "MILLRACE_DRAIN_TIMEOUT=1s",
        "",
      ].join("\n"),
      "agent.sh": agent,
      ...Object.fromEntries(ofFactory),
    },
    { millrace: "dist/millrace", systemd: "deploy/systemd" },
  );
  await machine.run("install -D -m 644 /given/agent.sh /srv/agent/agent.sh");
  if (hasFactory) await machine.run("cp -r /given/factory /srv/factory");
  await machine.run(INSTALL);
  const ready = () =>
    machine.run(
      "for n in $(seq 300); do curl -fs http://127.0.0.1:8787/readyz && exit; sleep 0.2; done; exit 1",
    );
  await ready();
  const millrace = (command: string) => machine.run(`MILLRACE_API_KEY=${KEY} millrace ${command}`);
  // An emulated processor can take longer than a server gives a definition, until it has translated the code that reads it.
  const sync = `export MILLRACE_API_KEY=${KEY}; for n in $(seq 30); do millrace sync && exit; done; exit 1`;
  if (hasFactory) await machine.run(sync);
  return { ...machine, ready, millrace };
}

/** Waits until a process with this command line is there. @returns its number */
export const waitForProcess = async ({ run }: Machine, pattern: string) =>
  (await run(`for n in $(seq 200); do pgrep -o -f '${pattern}' && exit; sleep 0.1; done; exit 1`)).trim();
