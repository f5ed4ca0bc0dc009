import { MillraceError } from "../../errors/error.ts";
import { type ApiRequest, keyOf } from "../http/endpoint.ts";
import { longPoll } from "../http/long-poll.ts";
import { findRun, noSuchRun } from "./find-run.ts";
import { belongingsOf } from "./run-belongings.ts";
import type { RunDeps } from "./run-deps.ts";
import { runItem } from "./run-item.ts";
import { tellEnd } from "./tell-end.ts";

/** An agent that waits for an answer is given a few seconds to end, and its files are copied. */
const WAIT = "15s";

/** Ends a run that waits for an answer; one whose agent waits too ends when that is gone. */
export async function dismissRun(request: ApiRequest<"dismissRun">, deps: RunDeps) {
  const { runs, now } = deps;
  const { principal } = keyOf(request);
  const found = await findRun(request, deps);
  const reason = request.body?.reason;
  const dismissal = { by: principal, ...(reason === undefined ? {} : { reason }) };
  const state = await runs.dismiss(found.id, dismissal, now().toISOString());
  if (state === undefined) throw noSuchRun(found.id, request.caller);
  if (state !== "BLOCKED") {
    throw new MillraceError(
      "invalid_request",
      `Run ${found.id} is ${state}, so there is no question to dismiss.`,
      {
        remedy:
          "Only a BLOCKED run can be dismissed. Use `millrace runs cancel` to end a queued or running run.",
      },
    );
  }
  tellEnd({ run: found, state }, deps);
  const look = async () => (await runs.find(found.id)) ?? found;
  const waiting = { http: request.http, caller: request.caller, query: { wait: WAIT } };
  const run = await longPoll(
    waiting,
    deps.commits,
    look,
    ({ cancelRequestedAt, isLeased }) => cancelRequestedAt !== null && isLeased,
  );
  const belongings = await belongingsOf([run], deps);
  return { json: runItem(run, belongings(run), deps, request.caller) };
}
