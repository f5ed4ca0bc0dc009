/** Why an outbound request had no answer: in words that name neither a secret nor an address behind a name. */
export class OutboundError extends Error {
  override name = "OutboundError";
}
