import { Api } from "../../client/api.ts";
import { settle } from "../../client/options.ts";
import { PATIENT_RETRIES } from "../../client/send.ts";
import { MillraceError } from "../../errors/error.ts";
import { overHttp } from "../http-transport.ts";

/** A run, as its agent reaches the server: with what is in the environment. */
export interface OwnRun {
  api: Api;
  runId: string;
  /** The path of one of its own resources. */
  path: { runId: string };
}

/** For how long a call waits for an answer. */
const PATIENCE_MS = 60_000;

/**
 * The run whose agent calls. An agent on a worker goes on while its server is started again, so its calls are repeated for about
 * as long as the worker lets it live without a server.
 * @throws MillraceError `invalid_request` outside of a run
 */
export function connectOwn(environment: NodeJS.ProcessEnv = process.env): OwnRun {
  const { MILLRACE_API_URL: baseUrl, MILLRACE_RUN_TOKEN: apiKey, MILLRACE_RUN_ID: runId } = environment;
  if (!baseUrl || !apiKey || !runId) {
    throw new MillraceError(
      "invalid_request",
      "This is not the environment of a run: MILLRACE_API_URL, MILLRACE_RUN_TOKEN and MILLRACE_RUN_ID are not all set.",
      { remedy: "`millrace agent` works for the agent of a run. Use `millrace runs` elsewhere." },
    );
  }
  const api = new Api(
    settle({ baseUrl, apiKey, transport: overHttp, maxRetries: PATIENT_RETRIES, timeoutMs: PATIENCE_MS }),
  );
  return { api, runId, path: { runId } };
}
