import { systemCode } from "../../../errors/error.ts";
import type { RefusalReason } from "../../../runs/turn/reaches.ts";

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
    return { status: 502, reason: "unreachable", text: `millrace: ${failureText(error)}\n` };
  const status = error.reason === "unresolved" || error.reason === "unreachable" ? 502 : 403;
  return { status, reason: error.reason, text: `millrace: ${error.message}\n` };
}

/** As Node names what is wrong with a certificate: by the names of OpenSSL, and by one of its own. */
const OF_CERTIFICATE = /^(ERR_TLS_CERT_|CERT_|UNABLE_TO_|SELF_SIGNED_CERT|DEPTH_ZERO_SELF_SIGNED)/;

function failureText(error: unknown): string {
  return OF_CERTIFICATE.test(systemCode(error) ?? "")
    ? "the certificate of the host is not trusted where the run executes (NODE_EXTRA_CA_CERTS of the server or worker)"
    : "the host could not be reached";
}
