import type { RunMasks } from "../../runs/output/run-masks.ts";
import type { ReportOutcome } from "../../runs/rules/agent-report.ts";
import type { Run } from "../../runs/run.ts";
import type { RunStore } from "../../runs/run-store.ts";
import type { ApiRequest, Endpoints } from "../http/endpoint.ts";
import { maskOf, ownRun, refusedReport } from "./own-run.ts";

export interface RunReportDeps {
  runs: RunStore;
  masks: Pick<RunMasks, "maskOf">;
  now: () => Date;
}

/** What an agent says of its run while it works, with the token of that run. */
export function runReportEndpoints(deps: RunReportDeps) {
  return {
    reportBlocked: { handle: (request) => reportBlocked(request, deps) },
    reportAnswer: { handle: (request) => reportText(request, "answer", deps) },
    reportStatus: { handle: (request) => reportText(request, "status", deps) },
  } satisfies Endpoints;
}

async function reportBlocked(request: ApiRequest<"reportBlocked">, { runs, masks, now }: RunReportDeps) {
  const run = ownRun(request);
  const mask = maskOf(run, masks);
  const { message, choices, urgency } = request.body;
  const outcome = await runs.block(run, mask(message), now().toISOString(), {
    ...(choices ? { choices: choices.map(mask) } : {}),
    ...(urgency ? { urgency } : {}),
  });
  if (outcome !== "blocked") throw refusedReport(run, "question", outcome);
  return { json: { run_id: run.id, state: "BLOCKED" as const } };
}

async function reportText(
  request: ApiRequest<"reportAnswer" | "reportStatus">,
  kind: "answer" | "status",
  { runs, masks, now }: RunReportDeps,
) {
  const run = ownRun(request);
  const masked = maskOf(run, masks)(request.body.text);
  // A status is a line, whatever it was written as.
  const text = kind === "status" ? masked.replace(/\s+/g, " ").trim() : masked;
  const keep: Record<typeof kind, (run: Run, at: string) => Promise<ReportOutcome>> = {
    answer: (turn, at) => runs.reportAnswer(turn, text, at),
    status: (turn, at) => runs.reportStatus(turn, text, at),
  };
  const outcome = await keep[kind](run, now().toISOString());
  if (outcome !== "kept") throw refusedReport(run, kind, outcome);
  return { json: { run_id: run.id, text } };
}
