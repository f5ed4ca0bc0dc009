import { MillraceError } from "../../errors/error.ts";
import type { Tool } from "./tool.ts";

/** Clients before this version of the protocol take an event without data for a broken one. */
const FIRST_VERSION = "2025-11-25";
/** After how long a client whose stream was cut asks again. Clients do so twice: a server may take that long to be back. */
const RETRY_MS = 5_000;
/** Far more than any call of a tool that can be resumed. */
const MAX_CURSOR = 8 * 1024;

/** A call of a tool, as a request of the protocol. */
interface ToolCall {
  jsonrpc: "2.0";
  id: string | number;
  method: "tools/call";
  params: { name: string; arguments: Record<string, unknown> };
}

/**
 * The event with which the stream of a held call begins, so that its client asks for the rest when the stream is cut: the server
 * may have been started again while an agent on a worker went on. All that the server has to know then is in the event's id.
 * @returns nothing for a call that cannot be resumed, or a client that cannot resume one
 */
export function firstEvent(
  message: unknown,
  tools: readonly Tool[],
  protocolVersion: unknown,
): string | undefined {
  if (typeof protocolVersion !== "string" || protocolVersion < FIRST_VERSION) return undefined;
  const { id, params } = message as Partial<ToolCall>;
  const isResumable = tools.some(({ name, resume }) => resume && name === params?.name);
  if (!isResumable || (typeof id !== "string" && typeof id !== "number")) return undefined;
  const cursor = Buffer.from(JSON.stringify([id, params?.name, params?.arguments ?? {}])).toString(
    "base64url",
  );
  if (cursor.length > MAX_CURSOR) return undefined;
  return `id: ${cursor}\nretry: ${RETRY_MS}\ndata: \n\n`;
}

/**
 * The call that a client wants the rest of. Whoever shows the cursor may call the tool in any case, so it needs no proof.
 * @throws MillraceError `invalid_request` for a cursor that is none of this server
 */
export function resumedCall(cursor: string, tools: readonly Tool[]): ToolCall {
  const [id, name, given] = parsed(cursor);
  const isCall = (typeof id === "string" || typeof id === "number") && isObject(given);
  const tool = tools.find((each) => each.resume && each.name === name);
  if (isCall && tool)
    return { jsonrpc: "2.0", id, method: "tools/call", params: { name: tool.name, arguments: given } };
  throw new MillraceError("invalid_request", "The header Last-Event-ID names no call that can be resumed.", {
    remedy: "Call the tool again.",
  });
}

function parsed(cursor: string): unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor.slice(0, MAX_CURSOR), "base64url").toString());
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
