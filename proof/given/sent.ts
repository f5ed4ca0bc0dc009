import { createHash, createHmac } from "node:crypto";
import type { Chance } from "./chance.ts";

export const TOKEN = "the-token-of-the-proof";
export const ADMIN_KEY = "test-admin-key-0123456789";

/** How a piece of work reaches the server: by one of three webhooks, or as a request of the run API. */
export const WAYS = ["token", "signed", "link", "run"] as const;
export type Way = (typeof WAYS)[number];

/** What a sender knows of one piece of work; nothing in it comes from the server but the answers. */
export interface Sent {
  number: number;
  way: Way;
  body: string;
  sha256: string;
  /** What makes it the same when it is sent again. */
  identity: string;
  /** Whether a run has to come of it. */
  go: boolean;
  /** The ids that it was answered with; more than one is a fault. */
  ids: Set<string>;
}

const LARGE = 120_000;

/** Something new to send. Small bodies for the most part, now and then a large one, one in ten asks for a run. */
export function newWork(number: number, chance: Chance, { large = true } = {}): Sent {
  const way = chance.of(0.02) ? "run" : chance.oneOf(["token", "signed", "link"] as const);
  const go = way === "run" || chance.of(0.1);
  const filler = large && chance.of(0.02) ? "ü".repeat(chance.below(LARGE)) : "x".repeat(chance.below(400));
  const body =
    way === "run" ? JSON.stringify({ prompt: `Piece ${number}.` }) : JSON.stringify({ number, go, filler });
  const sha256 = createHash("sha256").update(body).digest("hex");
  // Every second one with a token leaves it to the server to tell it by its body, as links do.
  const isNamed = way === "run" || way === "signed" || (way === "token" && number % 2 === 0);
  return { number, way, body, sha256, identity: isNamed ? `piece-${number}` : sha256, go, ids: new Set() };
}

/** The request for a piece of work. @param paths where the webhooks are, by way */
export function requestFor(
  work: Sent,
  paths: Record<string, string>,
): { path: string; headers: Record<string, string> } {
  const { way, body, identity } = work;
  const path = paths[way] ?? "";
  switch (way) {
    case "token": {
      const named = identity === work.sha256 ? {} : { "x-service-delivery-id": identity };
      return { path, headers: { authorization: `Bearer ${TOKEN}`, ...named } };
    }
    case "signed": {
      const signature = createHmac("sha256", TOKEN).update(body).digest("hex");
      const headers = { "x-hub-signature-256": `sha256=${signature}`, "x-github-delivery": identity };
      return { path, headers: { ...headers, "x-github-event": "ping" } };
    }
    case "link":
      return { path: `${path}/${TOKEN}`, headers: {} };
    case "run": {
      const headers = { authorization: `Bearer ${ADMIN_KEY}`, "idempotency-key": identity };
      return { path: "/api/v1/agent/runs", headers: { ...headers, "content-type": "application/json" } };
    }
  }
}
