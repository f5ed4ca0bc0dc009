import { counted } from "../counted.ts";

/** What a run without an agent at work waits for; nothing for one that does not wait. */
export function waitingText({ waiting_for = [] }: { waiting_for?: readonly string[] }): string | undefined {
  return waiting_for.length === 0 ? undefined : `Waiting for ${counted(waiting_for.length, "agent")}`;
}
