/** What the first bytes of a connection say of the host that TLS is asked for. */
export type HelloName =
  /** Not TLS at all. */
  | "other protocol"
  /** More bytes are needed. */
  | "incomplete"
  /** TLS without a name, or one that cannot be read. */
  | { name: undefined }
  | { name: string };

const HANDSHAKE_RECORD = 0x16;
const CLIENT_HELLO = 1;
const SERVER_NAME = 0;
const HOST_NAME = 0;
/** A ClientHello is a few kilobytes, also with keys for after quantum computers. */
const MAX_HELLO_BYTES = 64 * 1024;

/** Reads the server name of a ClientHello (RFC 8446 section 4.1.2, RFC 6066 section 3) in the first bytes of a connection. */
export function readHelloName(bytes: Buffer): HelloName {
  if (bytes.length === 0) return "incomplete";
  if (bytes[0] !== HANDSHAKE_RECORD) return "other protocol";
  if (bytes.length > MAX_HELLO_BYTES) return { name: undefined };
  const handshake = joinRecords(bytes);
  if (handshake === undefined) return { name: undefined };
  if (handshake.length < 4) return "incomplete";
  if (handshake[0] !== CLIENT_HELLO) return { name: undefined };
  const length = handshake.readUIntBE(1, 3);
  if (length > MAX_HELLO_BYTES) return { name: undefined };
  if (handshake.length < 4 + length) return "incomplete";
  try {
    return { name: serverName(handshake.subarray(4, 4 + length)) };
  } catch {
    // A length that leads beyond the end.
    return { name: undefined };
  }
}

/** The handshake that stands in records of TLS, which may cut it anywhere; nothing for what is no such record. */
function joinRecords(bytes: Buffer): Buffer | undefined {
  const parts: Buffer[] = [];
  for (let at = 0; at + 5 <= bytes.length; ) {
    if (bytes[at] !== HANDSHAKE_RECORD) return undefined;
    const length = bytes.readUInt16BE(at + 3);
    // Records without content could go on for ever (RFC 8446 section 5.1 forbids them).
    if (length === 0) return undefined;
    parts.push(bytes.subarray(at + 5, at + 5 + length));
    at += 5 + length;
  }
  return Buffer.concat(parts);
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
