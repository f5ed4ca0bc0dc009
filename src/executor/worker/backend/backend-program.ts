import { errorMessage } from "../../../errors/error.ts";
import { formProblem } from "../../../workers/protocol/form-problem.ts";
import { type CallLimits, callProgram } from "./call-program.ts";
import {
  BACKEND_ANSWERS,
  BACKEND_VERSION,
  type BackendVerb,
  type HandleRequest,
  type StartAnswer,
  type StartRequest,
  type StatusAnswer,
} from "./program-forms.ts";

type Unversioned<Request> = Omit<Request, "version">;

/** The program that starts turns elsewhere, which an operator has written. @throws Error with a sentence, from every call */
export interface BackendProgram {
  start(request: Unversioned<StartRequest>, signal: AbortSignal): Promise<StartAnswer>;
  status(request: Unversioned<HandleRequest>, signal: AbortSignal): Promise<StatusAnswer>;
  cancel(request: Unversioned<HandleRequest>, signal: AbortSignal): Promise<void>;
}

/** Calls at the same time: a server may offer hundreds of runs at once. */
const MAX_CALLS = 4;

export function createBackendProgram(command: readonly string[], limits?: CallLimits): BackendProgram {
  const environment = programEnvironment(process.env);
  let calls = 0;
  const waiting: (() => void)[] = [];

  async function inTurn<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    if (calls >= MAX_CALLS) await new Promise<void>((resolve) => waiting.push(resolve));
    else calls += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      // Who comes next takes the place over.
      if (next) next();
      else calls -= 1;
    }
  }

  async function call<Answer>(verb: BackendVerb, request: object, signal: AbortSignal): Promise<Answer> {
    const input = JSON.stringify({ version: BACKEND_VERSION, ...request });
    const output = await inTurn(() =>
      callProgram([...command, verb], { input, environment, signal, ...(limits ? { limits } : {}) }),
    ).catch((error) => {
      throw new Error(`\`${verb}\` of the backend ${errorMessage(error)}`);
    });
    return parsed(verb, output) as Answer;
  }

  return {
    start: (request, signal) => call("start", request, signal),
    status: (request, signal) => call("status", request, signal),
    async cancel(request, signal) {
      await call("cancel", request, signal);
    },
  };
}

function parsed(verb: BackendVerb, output: string): unknown {
  if (output.trim() === "" && verb !== "status") return {};
  let answer: unknown;
  try {
    answer = JSON.parse(output);
  } catch {
    throw new Error(`\`${verb}\` of the backend did not answer with JSON, but with: ${beginning(output)}`);
  }
  const problem = formProblem(BACKEND_ANSWERS[verb], answer);
  if (problem === undefined) return answer;
  throw new Error(`The answer of \`${verb}\` of the backend is not valid: ${problem}.`);
}

/** What the operator has set for the program; the settings of millrace, keys among them, are not for it. */
function programEnvironment(env: NodeJS.ProcessEnv): Record<string, string> {
  const entries = Object.entries(env).flatMap(([name, value]) =>
    value === undefined || name.startsWith("MILLRACE_") ? [] : [[name, value] as const],
  );
  return Object.fromEntries(entries);
}

function beginning(output: string): string {
  const line = output.replace(/[\s\p{Cc}]+/gu, " ").trim();
  return line === "" ? "nothing" : JSON.stringify(line.slice(0, 100));
}
