import type { RefusalReason } from "../reaches.ts";

/** Why a program of a run is not connected, in words for whoever reads its output. */
export class Refusal extends Error {
  override name = "Refusal";
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** What an answer to a refused program says, one line for people and nothing that a policy does not show. */
export function refusalText(error: unknown): { status: number; reason: RefusalReason; text: string } {
  if (!(error instanceof Refusal))
    return { status: 502, reason: "unreachable", text: "millrace: the host could not be reached\n" };
  const status = error.reason === "unresolved" || error.reason === "unreachable" ? 502 : 403;
  return { status, reason: error.reason, text: `millrace: ${error.message}\n` };
}
