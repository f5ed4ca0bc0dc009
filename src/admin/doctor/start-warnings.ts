import { resolve } from "node:path";
import type { Config } from "../../config/config.ts";
import type { Log } from "../../log.ts";
import type { OpenStore } from "../../store/open-store.ts";
import { examined } from "./finding.ts";
import { examineGit, examineWorkTree } from "./machine.ts";
import { examineClock } from "./stored.ts";

/** Says in the log what `millrace doctor` would say of the machine, as far as a server that has started can know it at no cost. */
export async function logStartWarnings(
  settings: Config,
  { store, now, log }: { store: OpenStore; now: () => Date; log: Log },
): Promise<void> {
  const config = { ...settings, dataDir: resolve(settings.dataDir) };
  const findings = [
    ...(await examined("clock", () => examineClock(store, now()))),
    ...(await examined("git", examineGit)),
    ...(await examined("work tree", () => examineWorkTree(config))),
  ];
  for (const { check, status, message, remedy } of findings)
    if (status !== "ok") log.warn({ check, remedy }, message);
}
