import { MillraceError } from "../../errors/error.ts";
import type { RunMasks } from "../../runs/output/run-masks.ts";
import type { ReportRefusal } from "../../runs/rules/agent-report.ts";
import { MAX_REPORTS, type ReportKind } from "../../runs/rules/agent-report.ts";
import { MAX_SAID } from "../../runs/rules/conversation.ts";
import type { Run } from "../../runs/run.ts";
import type { Caller } from "../http/authorize.ts";
import { uuidInPath } from "../http/resource-id.ts";
import { noSuchRun, type RunRequest } from "./find-run.ts";

/**
 * The run whose agent calls. Those that it may see, its children for example, report for themselves.
 * @throws MillraceError `resource_not_found` when the path names another run
 */
export function ownRun(request: RunRequest): Run {
  const id = uuidInPath(request, "runId");
  if (request.caller.kind === "run" && request.caller.run.id === id) return request.caller.run;
  throw noSuchRun(id, request.caller);
}

/**
 * Without the turn that grants secrets, no one knows what to hide: nothing is taken.
 * @throws MillraceError `conflict`, or `service_unavailable` while a server that was restarted has not heard from the run's worker
 */
export function maskOf(run: Run, masks: Pick<RunMasks, "maskOf">): (text: string) => string {
  const mask = masks.maskOf(run.id);
  if (!mask) throw notKnown(run);
  return mask;
}

/** The same for files. @throws MillraceError `conflict`, `service_unavailable` */
export function fileMaskOf(
  run: Run,
  masks: Pick<RunMasks, "fileMaskOf">,
): (bytes: Uint8Array) => Promise<Buffer> {
  const mask = masks.fileMaskOf(run.id);
  if (!mask) throw notKnown(run);
  return mask;
}

/** The worker of a run knows what to hide, and says so once it has reached a server that was started again. */
function notKnown(run: Run): MillraceError {
  if (!run.isLeased) return notRunning(run);
  return new MillraceError(
    "service_unavailable",
    `The server was started again, and the worker of run ${run.id} has not reached it yet.`,
    { remedy: "Send the request again in a few seconds." },
  );
}

/** What masks the texts that a caller writes: those of an agent, with the secrets of its run. */
export function maskOfCaller(caller: Caller, masks: Pick<RunMasks, "maskOf">): (text: string) => string {
  return caller.kind === "run" ? maskOf(caller.run, masks) : (text) => text;
}

/** Why what an agent reports is not taken. */
export function refusedReport(run: Run, kind: ReportKind, refusal: ReportRefusal): MillraceError {
  switch (refusal) {
    case "not running":
      return notRunning(run);
    case "too many":
      return new MillraceError(
        "invalid_request",
        `Run ${run.id} has made ${MAX_REPORTS[kind]} ${NAMES[kind]}, which is the limit.`,
        { remedy: REMEDIES[kind] },
      );
    case "full":
      return new MillraceError(
        "payload_too_large",
        `Run ${run.id} has stored ${MAX_SAID} characters of questions and answers, which is the limit.`,
        { remedy: "Write long texts to files in artifacts/, or create another run." },
      );
  }
}

const NAMES: Record<ReportKind, string> = {
  question: "different questions",
  answer: "reports of its answer",
  status: "reports of its status",
  note: "changes to the note",
};

const REMEDIES: Record<ReportKind, string> = {
  question: "Decide with what you know, and say in your answer what remains open.",
  answer: "Write the answer to artifacts/answer.md: its text is used when the turn ends.",
  status: "Continue without a status line.",
  note: "Write to files in artifacts/ instead.",
};

/** The turn of the agent that calls is over, or was never begun by who calls. */
export function notRunning({ id }: Pick<Run, "id">): MillraceError {
  return new MillraceError("conflict", `Run ${id} is not running: its turn has ended.`, {
    remedy: "End the program. A message to the run begins its next turn, in which its agent can do this.",
    retryable: false,
  });
}
