/** What the first bytes of a connection say of the host that TLS is asked for. */
export type HelloName =
  /** Not TLS at all. */
  | "other protocol"
  /** More bytes are needed. */
  | "incomplete"
  /** TLS without a name, or one that cannot be read. */
  | typeof UNNAMED
  /** @property end where the greeting ends in the bytes */
  | { name: string; end: number };

const UNNAMED = { name: undefined } as const;

/** Types of records (RFC 8446 section 5.1). */
const CHANGE_CIPHER_SPEC = 0x14;
const ALERT = 0x15;
const HANDSHAKE = 0x16;
const APPLICATION_DATA = 0x17;

const CLIENT_HELLO = 1;
const SERVER_HELLO = 2;
const SERVER_NAME = 0;
const HOST_NAME = 0;
/** A ClientHello is a few kilobytes, also with keys for after quantum computers. */
const MAX_HELLO_BYTES = 64 * 1024;

/** Reads the server name of a ClientHello (RFC 8446 section 4.1.2, RFC 6066 section 3) in the first bytes of a connection. */
export function readHelloName(bytes: Buffer): HelloName {
  const look = lookOf(bytes);
  if (look !== "handshake") return look;
  const handshake = readHandshake(bytes);
  if (typeof handshake === "string") return handshake === "other" ? UNNAMED : handshake;
  const { type, body, end, isAlone } = handshake;
  if (type !== CLIENT_HELLO || !isAlone) return UNNAMED;
  try {
    const name = serverName(body);
    return name === undefined ? UNNAMED : { name, end };
  } catch {
    // A length that leads beyond the end.
    return UNNAMED;
  }
}

/**
 * Reads the name in the ClientHello that answers a HelloRetryRequest. Between the two, there may be data that was sent early, and a
 * record for the sake of middleboxes.
 */
export function readSecondHelloName(bytes: Buffer): HelloName {
  let at = 0;
  while (bytes[at] === CHANGE_CIPHER_SPEC || bytes[at] === APPLICATION_DATA) {
    if (bytes.length < at + RECORD_HEADER) return "incomplete";
    at += RECORD_HEADER + bytes.readUInt16BE(at + 3);
    if (at > MAX_HELLO_BYTES) return UNNAMED;
  }
  const found = readHelloName(bytes.subarray(at));
  if (found === "other protocol") return UNNAMED;
  return typeof found === "object" && found.name !== undefined ? { ...found, end: found.end + at } : found;
}

/** Whether a server asks for a second ClientHello, whose name it may take in the place of the first one's. */
export function asksForSecondHello(bytes: Buffer): boolean | "incomplete" {
  let at = 0;
  // A server may first warn of a name that it does not know.
  while (bytes[at] === ALERT) {
    if (bytes.length < at + RECORD_HEADER) return "incomplete";
    at += RECORD_HEADER + bytes.readUInt16BE(at + 3);
    if (at > MAX_HELLO_BYTES) return false;
  }
  const handshake = readHandshake(bytes.subarray(at));
  if (typeof handshake === "string") return handshake === "incomplete" && handshake;
  return handshake.type === SERVER_HELLO && handshake.body.subarray(2, 34).equals(RETRY_RANDOM);
}

/** By this in the place of random bytes, a ServerHello is a HelloRetryRequest (RFC 8446 section 4.1.3). */
const RETRY_RANDOM = Buffer.from("cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c", "hex");

/**
 * What a connection begins with. Servers of TLS read on after records that are no greeting, such as a warning, and OpenSSL reads
 * greetings in the form of SSL 2: they begin TLS as well, and nobody else begins so.
 */
function lookOf(bytes: Buffer): "handshake" | "incomplete" | "other protocol" | typeof UNNAMED {
  const [first, second, third] = bytes;
  if (first === undefined) return "incomplete";
  if (first === HANDSHAKE) return "handshake";
  if (first >= 0x10 && first < 0x20) return UNNAMED;
  // Text, as of HTTP or SSH.
  if ((first >= 0x20 && first < 0x7f) || [0x09, 0x0a, 0x0d].includes(first)) return "other protocol";
  if (second === undefined || third === undefined) return "incomplete";
  const isVersion = second === 3 && third <= 4;
  const isSsl2 = first >= 0x80 && third === CLIENT_HELLO;
  return isVersion || isSsl2 ? UNNAMED : "other protocol";
}

const RECORD_HEADER = 5;
const MESSAGE_HEADER = 4;

interface Handshake {
  type: number;
  body: Buffer;
  /** Where its last record ends. */
  end: number;
  /** Whether nothing else is in its last record. */
  isAlone: boolean;
}

/** The first message of a handshake, which records may cut anywhere; "other" for what is no such message. */
function readHandshake(bytes: Buffer): Handshake | "incomplete" | "other" {
  const parts: Buffer[] = [];
  let end = 0;
  for (let held = 0, wanted = MESSAGE_HEADER; held < wanted; ) {
    if (bytes.length > MAX_HELLO_BYTES) return "other";
    if (bytes.length > end && bytes[end] !== HANDSHAKE) return "other";
    if (bytes.length < end + RECORD_HEADER) return "incomplete";
    const length = bytes.readUInt16BE(end + 3);
    // Records without content could go on for ever (RFC 8446 section 5.1 forbids them).
    if (length === 0) return "other";
    parts.push(bytes.subarray(end + RECORD_HEADER, end + RECORD_HEADER + length));
    end += RECORD_HEADER + length;
    held += length;
    if (bytes.length < end) return "incomplete";
    if (wanted === MESSAGE_HEADER && held >= MESSAGE_HEADER) wanted += Buffer.concat(parts).readUIntBE(1, 3);
    if (wanted > MAX_HELLO_BYTES) return "other";
  }
  const message = Buffer.concat(parts);
  const body = message.subarray(MESSAGE_HEADER, MESSAGE_HEADER + message.readUIntBE(1, 3));
  return { type: message[0] ?? 0, body, end, isAlone: message.length === MESSAGE_HEADER + body.length };
}

/** @throws RangeError where the hello ends before what it announces */
function serverName(hello: Buffer): string | undefined {
  // The version and the random bytes have a fixed length.
  let at = 34;
  at += 1 + hello.readUInt8(at);
  at += 2 + hello.readUInt16BE(at);
  at += 1 + hello.readUInt8(at);
  const end = at + 2 + hello.readUInt16BE(at);
  at += 2;
  const names: string[] = [];
  while (at < end) {
    const [type, length] = [hello.readUInt16BE(at), hello.readUInt16BE(at + 2)];
    if (at + 4 + length > hello.length) throw new RangeError("an extension ends beyond the hello");
    if (type === SERVER_NAME) names.push(...namesIn(hello.subarray(at + 4, at + 4 + length)));
    at += 4 + length;
  }
  // Two of them could be read differently here and there.
  return names.length === 1 ? names[0] : undefined;
}

function namesIn(extension: Buffer): string[] {
  const names: string[] = [];
  for (let at = 2; at < extension.length; ) {
    const [type, length] = [extension.readUInt8(at), extension.readUInt16BE(at + 1)];
    if (at + 3 + length > extension.length) throw new RangeError("a name ends beyond its extension");
    if (type === HOST_NAME) names.push(extension.toString("latin1", at + 3, at + 3 + length));
    at += 3 + length;
  }
  return names;
}
