import { errorMessage, systemCode } from "../../errors/error.ts";
import { mayBePlain, type PostgresTls } from "./postgres-tls.ts";

/** What is known about a connection that failed. */
export interface Attempt {
  host: string;
  tls: PostgresTls;
  /** Where its password came from, if it was asked for one. */
  passwordFrom?: string | undefined;
}

export interface Explanation {
  message: string;
  remedy: string;
}

/** What `pg` says of a server without TLS. */
const NO_TLS = "does not support SSL";
const OTHER_AUTHORITY = new Set([
  ...["SELF_SIGNED_CERT_IN_CHAIN", "DEPTH_ZERO_SELF_SIGNED_CERT", "UNABLE_TO_GET_ISSUER_CERT"],
  ...["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "UNABLE_TO_VERIFY_LEAF_SIGNATURE", "CERT_SIGNATURE_FAILURE"],
]);

/** Whether a connection failed because the server offers no TLS, and may be opened without it. */
export const mayRetryPlain = (error: unknown, tls: PostgresTls) =>
  tls.ssl !== false && mayBePlain(tls) && errorMessage(error).includes(NO_TLS);

/** Says why a connection failed, where it is something that its settings decide. */
export function explainPostgres(
  error: unknown,
  { host, tls, passwordFrom }: Attempt,
): Explanation | undefined {
  const [code = "", why] = [systemCode(error), errorMessage(error)];
  if (why.includes(NO_TLS))
    return {
      message: `PostgreSQL at ${host} does not offer TLS, and sslmode=${tls.mode} requires it`,
      remedy:
        "Turn on ssl in PostgreSQL. If you trust the network between the two, add sslmode=disable to MILLRACE_DATABASE_URL.",
    };
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID")
    return {
      message: `the certificate of PostgreSQL is for another host than ${host}: ${why}`,
      remedy:
        "Use a host name in MILLRACE_DATABASE_URL that the certificate contains, or sslmode=verify-ca, which does not compare names.",
    };
  if (OTHER_AUTHORITY.has(code)) return otherAuthority(host, tls, why);
  if (code === "CERT_HAS_EXPIRED" || code === "CERT_NOT_YET_VALID")
    return {
      message: `the certificate of PostgreSQL at ${host} is not valid now: ${why}`,
      remedy: "Renew it, and check the clock of this machine.",
    };
  if (code === "28P01")
    return {
      message: `PostgreSQL at ${host} refuses the password: ${why}`,
      remedy: `Correct the password, which comes from ${passwordFrom ?? "MILLRACE_DATABASE_URL"}.`,
    };
  if (code.startsWith("28") && /no encryption|SSL off/.test(why))
    return {
      message: why,
      remedy: "Add sslmode=require or stricter to MILLRACE_DATABASE_URL.",
    };
  return undefined;
}

function otherAuthority(host: string, { rootFile }: PostgresTls, why: string): Explanation {
  return {
    message: `the certificate of PostgreSQL at ${host} was not issued by an authority ${
      rootFile === undefined ? "that this machine trusts" : `in ${rootFile}`
    } (${why})`,
    remedy:
      rootFile === undefined
        ? "Name the file of its authority as sslrootcert in MILLRACE_DATABASE_URL."
        : "Name the file of the authority that issued it as sslrootcert in MILLRACE_DATABASE_URL.",
  };
}
