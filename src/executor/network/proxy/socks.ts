import type { Socket } from "node:net";
import { readTarget } from "../../../runs/turn/network-guard.ts";
import type { Connector } from "./connector.ts";
import { Refusal } from "./refusal.ts";

/** The first byte of SOCKS version 5 (RFC 1928), which no HTTP request begins with. */
export const SOCKS_VERSION = 5;

const NO_AUTHENTICATION = 0;
const NOTHING_ACCEPTABLE = 0xff;
const CONNECT = 1;
const [IPV4, NAME, IPV6] = [1, 3, 4];
const REPLY = { succeeded: 0, failure: 1, notAllowed: 2, unreachable: 4, notSupported: 7 } as const;
/** A request with the longest name is shorter. */
const MAX_REQUEST_BYTES = 1024;

/** Answers a program that speaks SOCKS 5. Only its CONNECT is supported: neither datagrams nor listening. */
export async function serveSocks(client: Socket, connector: Connector): Promise<void> {
  const read = createReader(client);
  const [, methods = 0] = await read(2);
  const offered = await read(methods);
  if (!offered.includes(NO_AUTHENTICATION))
    return void client.end(Buffer.from([SOCKS_VERSION, NOTHING_ACCEPTABLE]));
  client.write(Buffer.from([SOCKS_VERSION, NO_AUTHENTICATION]));
  const [version, command, , type] = await read(4);
  if (version !== SOCKS_VERSION || command !== CONNECT) {
    connector.refuse(undefined, "invalid");
    return void client.end(reply(REPLY.notSupported));
  }
  const host = await readHost(read, type);
  const target = host === undefined ? undefined : readTarget(host, (await read(2)).readUInt16BE());
  try {
    const join = await connector.tunnel(target);
    client.write(reply(REPLY.succeeded));
    join(client, read.rest());
  } catch (error) {
    client.end(reply(replyTo(error)));
  }
}

async function readHost(read: Reader, type: number | undefined): Promise<string | undefined> {
  if (type === IPV4) return (await read(4)).join(".");
  if (type === NAME) return (await read((await read(1)).readUInt8())).toString("latin1");
  if (type !== IPV6) return undefined;
  const address = await read(16);
  return Array.from({ length: 8 }, (_, group) => address.readUInt16BE(group * 2).toString(16)).join(":");
}

const reply = (code: number) => Buffer.from([SOCKS_VERSION, code, 0, IPV4, 0, 0, 0, 0, 0, 0]);

function replyTo(error: unknown): number {
  if (!(error instanceof Refusal)) return REPLY.failure;
  return error.reason === "unresolved" || error.reason === "unreachable"
    ? REPLY.unreachable
    : REPLY.notAllowed;
}

interface Reader {
  (bytes: number): Promise<Buffer>;
  /** What has been read beyond the request. */
  rest(): Buffer;
}

/** Reads a stream in pieces of a given length. It rejects when the stream ends before; what comes early waits in the socket. */
function createReader(client: Socket): Reader {
  let held = Buffer.alloc(0);
  let wake = () => {};
  let isOver = false;
  const hear = (bytes: Buffer) => {
    held = Buffer.concat([held, bytes]);
    if (held.length > MAX_REQUEST_BYTES) client.pause();
    wake();
  };
  const end = () => {
    isOver = true;
    wake();
  };
  client.on("data", hear);
  client.once("close", end);
  client.once("end", end);
  const read = async (bytes: number): Promise<Buffer> => {
    while (held.length < bytes) {
      if (isOver) throw new Error("the request ended early");
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    const taken = held.subarray(0, bytes);
    held = held.subarray(bytes);
    return taken;
  };
  return Object.assign(read, {
    rest() {
      client.off("data", hear);
      client.pause();
      return held;
    },
  });
}
