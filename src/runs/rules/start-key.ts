import { createHash } from "node:crypto";

/** What a run asks for when it starts another one. */
interface AskedStart {
  /** The name of the agent. */
  agent: string;
  prompt: string;
  /** Where a repository of the new run is checked out. */
  checkout?: { ref: string; repository?: string } | undefined;
  /** Tells starts of the same agent with the same prompt apart that are all wanted. */
  key?: string | undefined;
}

/**
 * The idempotency key of a start by an agent: the same start, by whatever tool and in whatever turn it is asked for, has the
 * same key, so that a turn that is repeated starts nothing twice.
 * @returns a SHA-256 in hexadecimal digits
 */
export function startKey({ agent, prompt, checkout, key = "" }: AskedStart): string {
  return createHash("sha256")
    .update(JSON.stringify([agent, prompt, key, checkout?.ref, checkout?.repository]))
    .digest("hex");
}
