import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import type { Client } from "./door-client.ts";
import { someFacts } from "./workers.ts";

type Known = { id: string; turn: number; state: string; reason?: string; isGivenUp?: boolean };

export interface Answer {
  isDraining: boolean;
  turns: unknown[];
  offers: { offers: { id: string; turn: number }[]; known: Known[] };
}

const facts = someFacts({ sandbox: "command", platform: null, shape: null });

/** Asks for offers as a process that starts runs elsewhere. */
export async function offers(
  client: Client,
  known: Known[] = [],
  { free = 5, waitMs = 0, isDraining = false } = {},
) {
  const request = { claim: randomUUID(), facts, free: 0, waitMs, offers: { free, known, isDraining } };
  const { status, body } = await client.post("claim", request);
  expect(status).toBe(200);
  return body as unknown as Answer;
}

export const idsOf = (answer: Answer) => answer.offers.offers.map(({ id }) => id);
