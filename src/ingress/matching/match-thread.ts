import { parentPort } from "node:worker_threads";
import { parseJson } from "../../edge/read-body.ts";
import { answerAsThread } from "../../platform/work-thread.ts";
import { compileListener, type MatchingListener, sourcesOf } from "./match.ts";
import type { FromMatch, ToMatch } from "./matcher.ts";

/** The listeners of so many webhooks are kept, those that were asked for last. */
const MAX_KNOWN = 50;
const known = new Map<number, MatchingListener[]>();

answerAsThread(parentPort, (message: ToMatch) => ({ answer: answerTo(message) }));

function answerTo({ listeners: number, written, event, authors, bytes }: ToMatch): FromMatch {
  const listeners = known.get(number) ?? written?.map(compileListener);
  if (!listeners) return { isUnknown: true };
  known.delete(number);
  known.set(number, listeners);
  for (const oldest of known.keys()) {
    if (known.size <= MAX_KNOWN) break;
    known.delete(oldest);
  }
  return { sources: sourcesOf(listeners, { event, authors, payload: parseJson(bytes)?.value }) };
}
