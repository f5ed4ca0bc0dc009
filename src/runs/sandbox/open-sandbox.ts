import type { Log } from "../../log.ts";
import { chooseSandbox, type SandboxSettings } from "./choose-sandbox.ts";
import type { Folders, Sandbox } from "./sandbox.ts";

/**
 * Opens the sandbox of this server, and says in the log what it does not keep apart. What an operator has not asked for
 * is a warning.
 * @throws MillraceError `service_unavailable` when the one that the settings name does not work here
 */
export async function openSandbox(settings: SandboxSettings, folders: Folders, log: Log): Promise<Sandbox> {
  const { sandbox, passedOver } = await chooseSandbox(settings, folders);
  const { mode, weaknesses } = sandbox;
  log.info({ sandbox: mode }, "agents run in this sandbox");
  for (const reason of passedOver) log.warn({ reason }, "a sandbox is not available");
  const isGivenUp = mode === "none" && settings.sandbox !== "none";
  for (const weakness of weaknesses) log[isGivenUp ? "warn" : "info"]({ sandbox: mode }, weakness);
  return sandbox;
}
