import { Writable } from "node:stream";
import type { Request, Response } from "express";
import { MillraceError } from "../../errors/error.ts";
import type { Caller } from "../../runs/caller.ts";
import type { AnswerOf, BodyOf, OperationId, PathOf, QueryOf, Reply } from "../http/endpoint.ts";
import type { OperationCalls } from "../operation-calls.ts";

/** What a tool asks of an operation. */
export interface Asked<Id extends OperationId> {
  path?: PathOf<Id>;
  query?: Partial<QueryOf<Id>>;
  body?: BodyOf<Id>;
  headers?: Record<string, string>;
}

/**
 * Calls an operation of the API as the caller of the tool, through the same checks, limits and records as a request over HTTP.
 * @throws MillraceError what the operation would answer with
 */
export type CallOperation = <Id extends OperationId>(id: Id, asked: Asked<Id>) => Promise<AnswerOf<Id>>;

/** Calls an operation that answers with bytes, which the caller knows to be few. */
export type ReadOperation = <Id extends OperationId>(id: Id, asked: Asked<Id>) => Promise<Buffer>;

/** What a tool can do: what its caller can. */
export interface OperationCaller {
  call: CallOperation;
  read: ReadOperation;
}

/** The request for a tool, which the calls that it makes are a part of. */
interface Visit {
  caller: Caller;
  request: Request;
  response: Response;
}

/** Headers that concern one operation only, and not the request for a tool. */
const OF_OPERATION = ["idempotency-key", "if-match", "if-none-match"];

export function operationCaller(calls: OperationCalls, visit: Visit): OperationCaller {
  /** @returns what the operation answers with, and what it has written */
  async function carryOut<Id extends OperationId>(id: Id, asked: Asked<Id>) {
    const known = calls.get(id);
    if (!known) throw new MillraceError("operation_not_supported", `This server has no operation ${id}.`);
    const { response, written, end } = partOf(visit.response);
    try {
      const reply = await known.carryOut({
        caller: visit.caller,
        request: requestOf(visit.request, known.placed.path, asked),
        response,
        readBody: async () => asked.body,
      });
      return { reply: reply as Reply<Id>, written: written() };
    } finally {
      end();
    }
  }
  return {
    call: async (id, asked) => answerOf((await carryOut(id, asked)).reply),
    async read(id, asked) {
      const { reply, written } = await carryOut(id, asked);
      return reply && "bytes" in reply ? Buffer.from(reply.bytes) : written;
    },
  };
}

/** The request as its operation sees it: from the same sender, at the path of the operation. */
function requestOf<Id extends OperationId>(
  request: Request,
  pattern: string,
  { path = {} as PathOf<Id>, query = {}, headers = {} }: Asked<Id>,
): Request {
  const params = path as Record<string, string>;
  const kept = Object.entries(request.headers).filter(([name]) => !OF_OPERATION.includes(name));
  const own = {
    params,
    query,
    path: pattern.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? "")),
    headers: { ...Object.fromEntries(kept), ...headers },
  };
  const values = Object.entries(own).map(([name, value]) => [name, { value, enumerable: true }]);
  return Object.create(request, Object.fromEntries(values));
}

/**
 * The response as an operation sees it: it is over when the operation is, or when the one to the tool's request is. What is
 * written to it is gathered.
 */
function partOf(whole: Response) {
  const chunks: Buffer[] = [];
  const part = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  const end = () => {
    whole.off("close", end);
    part.destroy();
  };
  whole.once("close", end);
  if (whole.closed) end();
  const own = {
    locals: {},
    statusCode: 200,
    setHeader: () => part,
    writeHead: () => part,
    attachment: () => part,
  };
  return {
    response: Object.assign(part, own) as unknown as Response,
    written: () => Buffer.concat(chunks),
    end,
  };
}

function answerOf<Id extends OperationId>(reply: Reply<Id>): AnswerOf<Id> {
  if (reply && "json" in reply) return reply.json;
  if (reply && "jsonText" in reply) return JSON.parse(reply.jsonText);
  return undefined as AnswerOf<Id>;
}
