import type { DeliveryOutcome } from "../../ingress/delivery.ts";
import { fold } from "../search-text.ts";

/** So many different words of a delivery can be found; those that follow cannot. */
const MAX_WORDS = 10_000;
/** Words that begin with the same so many bytes are the same word: hashes and encoded files are told apart by fewer. */
const MAX_WORD_BYTES = 24;
/** Not in any word: what begins with it says how a delivery ended, to whom it came and what it tells of. */
const FACET = "\x01";
const MAX_FACET_BYTES = 200;

/** A delivery as far as the search needs it. */
export interface SearchedDelivery {
  delivery_id: string;
  factory_uid: string;
  webhook_uid: string;
  outcome: DeliveryOutcome;
  identity_source: string | null;
  identity_value: string | null;
  reason: string | null;
  event: string | null;
  payload: Uint8Array | null;
  /** Whether it has runs, as 0 or 1. */
  started: number;
}

/** What a delivery can be found by besides its words. Terms are UTF-8, one character for each byte. */
export const facet = {
  webhook: (factoryUid: string, uid: string) => `${facet.webhooks}${factoryUid}/${uid}`,
  /** With what the facets of all webhooks begin. */
  webhooks: `${FACET}w`,
  outcome: (outcome: DeliveryOutcome) => `${FACET}o${outcome}`,
  event: (event: string) => `${FACET}e${bytesOf(event.toLowerCase())}`.slice(0, MAX_FACET_BYTES),
  started: `${FACET}s`,
};

/** Everything that a delivery can be found by. */
export function termsOf(delivery: SearchedDelivery): Set<string> {
  const { payload, identity_source: source } = delivery;
  const terms = new Set<string>([
    facet.webhook(delivery.factory_uid, delivery.webhook_uid),
    facet.outcome(delivery.outcome),
  ]);
  if (delivery.started === 1) terms.add(facet.started);
  const text = payload === null ? "" : Buffer.from(payload).toString("utf8");
  const event = delivery.event ?? (payload === null ? null : eventIn(text));
  if (event !== null) terms.add(facet.event(event));
  const identity = source === "body_hash" ? null : delivery.identity_value;
  const details = [delivery.delivery_id, event, identity, delivery.reason];
  addWords(terms, details.filter((each) => each !== null).join(" "));
  addWords(terms, unescaped(text));
  return terms;
}

/** What a text asks for: whole words, and beginnings of words where a star follows. */
export interface AskedWords {
  words: string[];
  beginnings: string[];
}

/** The words of a search; all of them are wanted, in any order. Nothing but letters, digits and stars counts. */
export function askedWords(query: string): AskedWords {
  const [words, beginnings] = [new Set<string>(), new Set<string>()];
  for (const part of fold(query).split(/\s+/)) {
    const found = [...wordsIn(part)];
    const last = /[\p{L}\p{N}]\*$/u.test(part) ? found.pop() : undefined;
    for (const word of found) words.add(termOf(word));
    if (last !== undefined) beginnings.add(termOf(last));
  }
  return { words: [...words], beginnings: [...beginnings] };
}

/** The event that the body of a delivery names, where its provider has no header for that. */
function eventIn(json: string): string | null {
  const body = parsed(json);
  if (typeof body !== "object" || body === null) return null;
  const { type, object_kind, event_type, event } = body as Record<string, unknown>;
  const inner = typeof event === "object" && event !== null ? (event as Record<string, unknown>) : {};
  // Slack wraps its events: what the type of the whole says is the same for all of them.
  const named = [inner.type, inner.event_type, object_kind, type, event_type, event];
  return (named.find((name) => typeof name === "string" && name !== "") as string | null) ?? null;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function addWords(terms: Set<string>, text: string): void {
  for (const word of wordsIn(ASCII.test(text) ? text.toLowerCase() : fold(text))) {
    terms.add(termOf(word));
    if (terms.size >= MAX_WORDS) return;
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII has them
const ASCII = /^[\x00-\x7f]*$/;

/** Of text that was folded before. */
function wordsIn(folded: string): Iterable<string> {
  return folded.match(ASCII.test(folded) ? /[a-z0-9]+/g : /[\p{L}\p{N}]+/gu) ?? [];
}

function termOf(word: string): string {
  return bytesOf(word.length > MAX_WORD_BYTES ? word.slice(0, MAX_WORD_BYTES) : word).slice(
    0,
    MAX_WORD_BYTES,
  );
}

function bytesOf(text: string): string {
  return ASCII.test(text) ? text : Buffer.from(text, "utf8").toString("latin1");
}

const WHITE = new Set(["n", "r", "t", "b", "f"]);

/** The text of JSON with its escape sequences resolved: a line break is between two words, not in one. */
function unescaped(json: string): string {
  if (!json.includes("\\")) return json;
  return json.replace(/\\(?:u([0-9a-fA-F]{4})|(.))/gs, (_, code: string | undefined, other: string) => {
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
    return WHITE.has(other) ? " " : other;
  });
}
