import type { RequestBody } from "../edge/read-body.ts";
import type { Arrival, Authentication } from "./arrival.ts";
import type { Credential } from "./credential.ts";

/**
 * Lets in by the previous credential as well, until an instant. Until then both are checked for every delivery, so that the time of
 * an answer does not tell which of them was right.
 * @param until milliseconds of the wall clock
 */
export function withPrevious(current: Credential, previous: Credential, until: number): Credential {
  if (current.kind === "token" && previous.kind === "token") {
    return {
      kind: "token",
      check: (arrival) => either(arrival, until, current.check(arrival), () => previous.check(arrival)),
    };
  }
  if (current.kind === "signature" && previous.kind === "signature") {
    return {
      kind: "signature",
      check: (arrival: Arrival, body: RequestBody) =>
        either(arrival, until, current.check(arrival, body), () => previous.check(arrival, body)),
      handshake: (payload, provedBy) =>
        (provedBy === "previous" ? previous : current).handshake(payload, provedBy),
    };
  }
  return current;
}

function either(
  { now }: Arrival,
  until: number,
  byCurrent: Authentication,
  checkPrevious: () => Authentication,
): Authentication {
  // An instant that cannot be read is none.
  if (!(now < until)) return byCurrent;
  const byPrevious = checkPrevious();
  if (byCurrent.ok || !byPrevious.ok) return byCurrent;
  return { ...byPrevious, provedBy: "previous" };
}
