import { createHash } from "node:crypto";
import { randomText } from "../../id.ts";

/** Run tokens are told from API keys by how they begin. */
export const RUN_TOKEN_PREFIX = "mrt_";
const RUN_TOKEN_LENGTH = 40;

/** A token for one turn of a run: its program reaches its own run with it, for as long as the turn lasts. */
export function newRunToken(): string {
  return RUN_TOKEN_PREFIX + randomText(RUN_TOKEN_LENGTH);
}

/** What is kept of a run's token: its SHA-256, hexadecimal. */
export function hashRunToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
