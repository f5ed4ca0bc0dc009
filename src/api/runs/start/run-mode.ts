import type { RunAgent } from "../../../runs/new-run.ts";
import type { RunMode } from "../../../runs/rules/plan.ts";
import type { BodyOf } from "../../http/endpoint.ts";
import { invalidField } from "./agent-config-check.ts";

/**
 * How a run works that is asked for. Only a foreman orchestrates, and it does so in any case.
 * @throws MillraceError `invalid_request` when another agent is to orchestrate
 */
export function modeOf(mode: BodyOf<"createRun">["mode"], agent: RunAgent | undefined): { mode?: RunMode } {
  if (mode === "plan") return { mode };
  if (mode !== "orchestrate") return {};
  if (!agent || !("factory" in agent))
    throw invalidField("mode", "orchestrate requires a factory, whose foreman gets the run");
  const { agents } = agent.factory.active.definition;
  const foreman = agents.find(({ type }) => type === "FOREMAN")?.name;
  if (foreman === undefined)
    throw invalidField("mode", "orchestrate requires a foreman, and the factory has none");
  if (foreman === agent.agent) return {};
  throw invalidField("mode", `orchestrate is for the foreman of the factory, ${JSON.stringify(foreman)}`);
}
