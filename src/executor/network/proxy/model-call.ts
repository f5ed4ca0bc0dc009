import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { type ModelUsage, sumUsage } from "../../output/model-usage.ts";
import { keepBytes, readAnswer } from "./answer-usage.ts";

/** What a program asks of a service, as far as it tells what that takes of a model, while it and its answer pass by. */
export interface ModelCall {
  /** The whole request is on its way. */
  sent(): void;
  /** The model that is asked, null where that is not known; nothing where none is asked. */
  model(): string | null | undefined;
  /** Reads the answer as it passes by. @returns whether it can tell of a model: then it is read to its end */
  answered(answer: IncomingMessage): boolean;
  /**
   * What the call took: as its answer tells it, and otherwise as an estimate.
   * @param isCutOff that nobody waits for its end any more
   */
  usage(isCutOff: boolean): CallUsage;
}

export interface CallUsage {
  all: ModelUsage[];
  /** Whether it is of work that a model does later, whose results may tell of it again. */
  isLater: boolean;
}

/**
 * Texts have about four bytes for each token, and code and JSON fewer. An estimate that holds a run within its budget is rather too
 * high.
 */
const BYTES_OF_A_TOKEN = 3;
/** Where a request names its model, and what kind of request it is, unless it hides it. */
const EDGE_BYTES = 64 * 1024;

/** The paths under which services answer with a model, whatever is before them. */
const MODEL_PATH = new RegExp(
  `(?:/(?:${[
    ...["messages", "complete", "completions", "responses", "responses/compact", "embeddings", "rerank"],
    ...["images/(?:generations|edits|variations)", "audio/(?:speech|transcriptions|translations)"],
    ...["chat", "generate", "embed", "interactions", "converse(?:-stream)?"],
    ...["invoke(?:-with-response-stream)?"],
  ].join("|")})|:(?!count|compute)\\w*(?:generate|predict|embed)\\w*)$`,
);
/** Google, Amazon and Azure have the name of the model in the path. */
const NAMED_IN_PATH = /\/(?:models|tunedmodels|model|deployments)\/([^/:]+)/;
/** What a model does when the answer has come. */
const LATER_PATH = /\/(?:batches|threads\/runs|threads\/[^/]+\/runs)$|:(?:batch|async)\w+$/;
const FILE_PATH = /\/(?:files|uploads\/[^/]+\/parts)$/;
const FREE_PATH = /\/(?:count_tokens|input_tokens|moderations|tokenize)$/;

const MODEL = /(?<!\\)"model"\s*:\s*"([^"\\]{1,200})"/;
const ASKS = /(?<!\\)"(?:messages|input|prompt|contents|instances)"\s*:/;
const OF_LATER = /(?<!\\)"(?:input_file_id|assistant_id|batch)"\s*:/;
const BACKGROUND = /(?<!\\)"background"\s*:\s*true/;
/** A part of a form that says what its file is for. Those of an upload in parts do not say it. */
const FOR_BATCH = /name="?purpose"?\r\n(?:[^\r\n]+\r\n)*\r\nbatch\r\n|name="?data"?[;\r]/;
const MOST =
  /(?<!\\)"(?:max_tokens|max_completion_tokens|max_output_tokens|maxOutputTokens|max_tokens_to_sample)"\s*:\s*(\d{1,9})(?=\D)/g;
/** As long as the longest of these that a piece of a request may cut. */
const OVERLAP = 80;

/** The path as servers understand it, however it is written. */
function readPath({ pathname }: URL): string {
  let path = pathname;
  try {
    path = decodeURIComponent(pathname);
  } catch {
    // As it is written.
  }
  return path
    .toLowerCase()
    .replace(/\/{2,}/g, "/")
    .replace(/(.)\/+$/, "$1");
}

/** Whether a path is one of a model, also when the body cannot be read. */
export function isModelPath(url: URL): boolean {
  const path = readPath(url);
  return MODEL_PATH.test(path) || LATER_PATH.test(path);
}

/** Whether what a request says can be read here. */
export const isReadable = (headers: IncomingHttpHeaders): boolean =>
  (headers["content-encoding"] ?? "identity").trim().toLowerCase() === "identity";

/** Whether a request may ask for something that a model has not done yet. */
export const mayAskModel = ({ method }: IncomingMessage): boolean =>
  !["GET", "HEAD", "OPTIONS", "DELETE"].includes(method ?? "");

/** Begins to read a request. */
export function beginCall(request: IncomingMessage, url: URL): ModelCall {
  const path = readPath(url);
  const asked = readRequest(request);
  let reader: ReturnType<typeof readAnswer>;
  let answer: IncomingMessage | undefined;
  let bytes = 0;
  let isSent = false;

  /** What of a model is asked for; nothing where it is none. */
  function ofModel(): { model: string | null; isLater: boolean } | undefined {
    const text = asked.edges();
    const model = MODEL.exec(text)?.[1] ?? NAMED_IN_PATH.exec(path)?.[1] ?? null;
    // What is in the middle of a long request is not known.
    const isOfModel = model !== null || asked.isLong();
    if (FREE_PATH.test(path)) return undefined;
    if (FILE_PATH.test(path)) return FOR_BATCH.test(text) ? { model, isLater: true } : undefined;
    if (LATER_PATH.test(path)) return isOfModel || OF_LATER.test(text) ? { model, isLater: true } : undefined;
    if (!isOfModel || !(MODEL_PATH.test(path) || ASKS.test(text))) return undefined;
    return { model, isLater: BACKGROUND.test(text) };
  }

  /** Whether the answer says that nothing was done. */
  const isRefused = () => answer !== undefined && (answer.statusCode ?? 0) >= 300;

  return {
    sent() {
      isSent = true;
    },
    model: () => (mayAskModel(request) ? ofModel()?.model : undefined),
    answered(given) {
      answer = given;
      reader = readAnswer(given.headers);
      given.on("data", (part: Buffer) => {
        bytes += part.length;
        reader?.read(part);
      });
      return mayAskModel(request) && (reader !== undefined || ofModel() !== undefined);
    },
    usage(isCutOff) {
      const { told, written } = reader?.end() ?? { told: [], written: bytes };
      const isAsked = mayAskModel(request) && isSent && (answer !== undefined || isCutOff) && !isRefused();
      const wanted = isAsked ? ofModel() : undefined;
      const isWhole = answer?.complete === true;
      if (!wanted || (told.length > 0 && isWhole)) return { all: told, isLater: false };
      const output = tokensOf(written);
      const [first, ...others] = told;
      // What it tells at its beginning has the whole input, and of the output what there was then.
      if (first) {
        const outputTokens = Math.max(first.outputTokens, output);
        return { all: [{ ...first, outputTokens, isEstimate: true }, ...others], isLater: false };
      }
      const { model, isLater } = wanted;
      const inputTokens = tokensOf(asked.bytes());
      // A model whose answer has not begun may write as much as it was allowed to.
      const outputTokens = isLater
        ? Math.max(asked.most("sum"), inputTokens)
        : bytes === 0
          ? asked.most("largest")
          : output;
      return {
        all: [{ model, inputTokens, outputTokens, cachedTokens: 0, costUsd: null, isEstimate: true }],
        isLater,
      };
    },
  };
}

const tokensOf = (bytes: number) => Math.ceil(bytes / BYTES_OF_A_TOKEN);

/** Reads a request while it is sent on: how long it is, its beginning and its end, and how much a model may write. */
function readRequest(request: IncomingMessage) {
  const kept = keepBytes(EDGE_BYTES);
  let sum = 0;
  let largest = 0;
  /** What is to be looked through once more with what follows. */
  let rest = "";
  request.on("data", (part: Buffer) => {
    kept.add(part);
    const text = rest + part.toString("latin1");
    let end = 0;
    for (const { index, 0: found, 1: most = "" } of text.matchAll(MOST)) {
      sum += Number(most);
      largest = Math.max(largest, Number(most));
      end = index + found.length;
    }
    rest = text.slice(Math.max(end, text.length - OVERLAP));
  });
  return {
    bytes: kept.bytes,
    isLong: () => !kept.isWhole(),
    edges: () => kept.all().toString("utf8"),
    most: (of: "sum" | "largest") => (of === "sum" ? sum : largest),
  };
}

/** What the models have told that the programs of a run have asked through their proxy. */
export interface MeasuredUsage {
  /** By model. */
  list(): readonly ModelUsage[];
  count(usage: ModelUsage): void;
}

/** A host can make up as many names of models as it likes. */
const MAX_MODELS = 50;
const OTHER_MODELS = "(other models)";

/** @param onChange is called after each change */
export function measureUsage(onChange: () => void): MeasuredUsage {
  let used: ModelUsage[] = [];
  return {
    list: () => used,
    count(usage) {
      const isKnown = used.length < MAX_MODELS || used.some(({ model }) => model === usage.model);
      used = sumUsage([...used, isKnown ? usage : { ...usage, model: OTHER_MODELS }]);
      onChange();
    },
  };
}
