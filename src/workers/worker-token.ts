import { createHash } from "node:crypto";
import { randomText } from "../id.ts";

/** Tokens of workers are told from API keys and run tokens by how they begin. */
export const WORKER_TOKEN_PREFIX = "mrw_";
/** 40 letters and digits hold 238 bits. */
const RANDOM_LENGTH = 40;
const SHOWN_LENGTH = 9;
const TOKEN = new RegExp(`^${WORKER_TOKEN_PREFIX}[A-Za-z0-9]{${RANDOM_LENGTH}}$`);

/** A token with which processes connect as one worker. */
export function newWorkerToken(): string {
  return WORKER_TOKEN_PREFIX + randomText(RANDOM_LENGTH);
}

/** What is kept of a token: its SHA-256, hexadecimal. */
export function hashWorkerToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** The part of a token that may be shown. */
export function shownPrefix(token: string): string {
  return token.slice(0, SHOWN_LENGTH);
}

/** The token in an Authorization header, if it has the form of one: nothing else is worth a look into the store. */
export function workerTokenIn(authorization: string | undefined): string | undefined {
  const value = /^Bearer +(\S+)$/i.exec(authorization ?? "")?.[1];
  return value !== undefined && TOKEN.test(value) ? value : undefined;
}
