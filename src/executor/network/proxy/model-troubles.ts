import type { IncomingMessage } from "node:http";
import type { ProviderLimit } from "../../../runs/rules/provider-limit.ts";
import { hasPlaceholder, type Injection } from "../../../runs/turn/injection.ts";
import { limitOfAnswer } from "../../output/provider-limits.ts";
import { Refusal } from "./refusal.ts";

/** What the last answer of a model was, where that was none: the program may have ended because of it. */
export interface ModelTrouble extends Pick<ProviderLimit, "kind" | "until"> {
  model: string | null;
  host: string;
  /** Nothing where the service has not answered. */
  status?: number;
  /** Whether it is the answer of the service of the harness to its key, and the same for everyone with that key. */
  isOwn: boolean;
}

/** Finds out of the requests of a program which models do not answer it. */
export interface ModelTroubles {
  list(): readonly ModelTrouble[];
  /** Follows a request. @param model what its model is called, once it was sent; nothing where it asks none */
  follow(request: AskedModel, model: () => string | null | undefined): FollowedCall;
}

interface AskedModel {
  host: string;
  isOwn: boolean;
  /** Whether the program waits for the answer. */
  isWaitedFor(): boolean;
}

interface FollowedCall {
  answered(answer: IncomingMessage): void;
  /** There is no answer. */
  failed(error: unknown): void;
}

/** Answers that are the same for everyone with the key. A program can provoke others, or let its own request time out. */
const SAME_FOR_ALL: ReadonlySet<number> = new Set([429, 503, 529]);

/** What says why an answer is none. */
const READ_BYTES = 16 * 1024;
/** A program can make up as many names of models as it likes. */
const MAX_MODELS = 20;

/** @param onChange is called after each change */
export function modelTroubles(onChange: () => void): ModelTroubles {
  const troubles = new Map<string, ModelTrouble>();

  function note(model: string | null, trouble: ModelTrouble | undefined): void {
    const known = troubles.delete(model ?? "");
    if (trouble && troubles.size < MAX_MODELS) troubles.set(model ?? "", trouble);
    if (known || trouble) onChange();
  }

  return {
    list: () => [...troubles.values()],
    follow({ host, isOwn, isWaitedFor }, modelOf) {
      const unavailable = (): void => {
        const model = modelOf();
        if (model !== undefined && isWaitedFor())
          note(model, { kind: "unavailable", model, host, isOwn: false });
      };
      return {
        answered(answer) {
          const status = answer.statusCode ?? 0;
          const parts: Buffer[] = [];
          let bytes = 0;
          if (status >= 400) {
            answer.on("data", (part: Buffer) => {
              if (bytes < READ_BYTES) parts.push(part);
              bytes += part.length;
            });
          }
          answer.once("close", () => {
            const model = modelOf();
            if (model === undefined) return;
            const body = Buffer.concat(parts).toString("utf8", 0, READ_BYTES);
            const limit = limitOfAnswer({ status, headers: answer.headers, body }, new Date());
            if (limit)
              note(model, { ...limit, model, host, isOwn: isOwn && SAME_FOR_ALL.has(status), status });
            else if (answer.complete) note(model, undefined);
            else unavailable();
          });
        },
        failed(error) {
          const isOfHost = !(error instanceof Refusal) || error.reason === "unreachable";
          if (isOfHost) unavailable();
        },
      };
    },
  };
}

/** Where services look for a key. */
const KEY_HEADERS = ["authorization", "x-api-key", "api-key", "x-goog-api-key", "cookie"];
const KEY_PARAMETERS = ["key", "api_key", "access_token"];

/** Whether a request has the key of the harness, and no other by which a program could have the service refuse it. */
export function carriesOnlyKey(
  headers: NodeJS.Dict<string[]>,
  { searchParams }: URL,
  injections: readonly Injection[],
): boolean {
  if (KEY_PARAMETERS.some((name) => searchParams.has(name))) return false;
  const given = KEY_HEADERS.flatMap((name) => (headers[name] ? [{ [name]: headers[name] }] : []));
  return given.length > 0 && given.every((header) => hasPlaceholder(header, injections));
}

/** The trouble in words, without any text of the service. */
export function troubleText({ host, status, until }: ModelTrouble): string {
  const what =
    status === undefined ? `${host} did not answer` : `${host} answered with HTTP status ${status}`;
  return until === undefined ? `${what}.` : `${what}, to be asked again at ${until}.`;
}
