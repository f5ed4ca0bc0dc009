import { randomFillSync, randomInt } from "node:crypto";

const ALPHANUMERIC = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const UID_LENGTH = 22;

/** 22 random letters and digits (131 bits): factories, webhooks and whatever else the public API calls a UID. */
export function newUid(): string {
  return randomText(UID_LENGTH);
}

/** Whether a text has the shape of the ids that {@link newUid} makes. */
export function isUid(text: string): boolean {
  return /^[A-Za-z0-9]{22}$/.test(text);
}

/** Random letters and digits, about 5.95 bits each, safe in URLs, headers and shells. */
export function randomText(length: number): string {
  let text = "";
  while (text.length < length) text += ALPHANUMERIC[randomInt(ALPHANUMERIC.length)];
  return text;
}

/**
 * What people see of a name: letters in another case, wide letters, more white space and characters that show nothing make it no
 * other one. Two names of one look are one name to them.
 */
export function lookOf(name: string): string {
  return name
    .normalize("NFKC")
    .replace(/\p{Cf}/gu, "")
    .trim()
    .replace(/\s+/gu, " ")
    .toLowerCase();
}

let lastTime = 0;
let counter = 0;

/**
 * A lower-case UUID of version 7 (RFC 9562, method 1): the time in milliseconds, a counter within it, 62 random bits.
 * Ids made by one process sort in the order of their making, also when the clock stands still or steps back; rows made
 * one after the other stand beside each other in an index, which keeps inserts cheap in a table of millions.
 */
export function newUuid(now: number = Date.now()): string {
  const bytes = randomSixteen();
  counter = now > lastTime ? bytes.readUInt16BE(6) % COUNTER_START : counter + 1;
  lastTime = Math.max(now, lastTime);
  if (counter > COUNTER_END) {
    lastTime += 1;
    counter = 0;
  }
  return uuidOf(lastTime, counter, bytes);
}

function uuidOf(time: number, counter: number, bytes: Buffer): string {
  bytes.writeUIntBE(time, 0, 6);
  bytes.writeUInt16BE(0x7000 | counter, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/**
 * One that sorts after another, which a thread with a clock and counter of its own may have made, or a clock that was ahead. Ids tell
 * the time, so the next ones of {@link newUuid} are not moved with it.
 */
export function newUuidAfter(id: string | null | undefined): string {
  const time = id ? millisecondsOf(id) + 1 : 0;
  return time > Date.now() ? uuidOf(time, 0, randomSixteen()) : newUuid();
}

/** Has {@link newUuid} make ids from now on that sort after another. */
export function makeUuidsAfter(id: string | null | undefined): void {
  if (id) newUuid(Math.max(Date.now(), millisecondsOf(id) + 1));
}

/** Below every id that {@link newUuid} makes from an instant on, in milliseconds. */
export function firstUuidOf(instant: number): string {
  const hex = Math.max(0, instant).toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

/** When {@link newUuid} made an id, at the latest. */
export function instantOfUuid(id: string): string {
  return new Date(millisecondsOf(id)).toISOString();
}

function millisecondsOf(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

/** Random bytes are fetched by the page: asking the system for sixteen at a time costs more than all the rest. */
const pool = Buffer.alloc(4_096);
let used = pool.length;

function randomSixteen(): Buffer {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += 16;
  return pool.subarray(used - 16, used);
}

/** The counter has 12 bits; it starts in the lower half, which leaves room to count within one millisecond. */
const COUNTER_START = 0x800;
const COUNTER_END = 0xfff;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether a text has the shape of the ids that {@link newUuid} makes. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}
