import { createHash } from "node:crypto";

/** What a worker's git sent to show who it is. */
export interface GitCredential {
  /** The header as the rest of the API takes it. */
  authorization: string;
  /** Tells clients apart, and is no secret. */
  client: string;
}

/**
 * The token in the Authorization header of a git request. Git sends it as the password of HTTP Basic, and the user name says
 * nothing.
 */
export function gitCredential(header: string | undefined): GitCredential | undefined {
  const token = /^Bearer +(\S+)$/i.exec(header ?? "")?.[1] ?? passwordIn(header);
  if (token === undefined) return undefined;
  return {
    authorization: `Bearer ${token}`,
    client: createHash("sha256").update(token).digest("hex"),
  };
}

function passwordIn(header: string | undefined): string | undefined {
  const encoded = /^Basic +([A-Za-z0-9+/=_-]+)$/i.exec(header ?? "")?.[1];
  const text = Buffer.from(encoded ?? "", "base64").toString("utf8");
  const password = text.includes(":") ? text.slice(text.indexOf(":") + 1) : "";
  return /^[!-~]+$/.test(password) ? password : undefined;
}
