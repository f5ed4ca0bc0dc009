import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { type Models, millrace } from "../../api/client.ts";
import { queryClient } from "../../api/query-client.ts";
import { rerunsQuery, runAgainPlanQuery } from "../../api/run-queries.ts";
import { announce } from "../announcer.tsx";
import { Button } from "../button.tsx";
import { Fact, Facts } from "../facts.tsx";
import { FormDialog } from "../forms/form-dialog.tsx";
import { Loaded } from "../tables/loaded.tsx";

type Plan = Models["RunAgainPlan"];

interface RunAgainProps {
  run: Pick<Models["RunItem"], "run_id">;
  /** Whether it is the main thing to do. */
  kind?: "main" | "plain";
}

/** Runs an ended run again, after showing what that starts, and goes to the new run. */
export function RunAgain({ run: { run_id }, kind = "plain" }: RunAgainProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button kind={kind} onPress={() => setOpen(true)}>
        Run again
      </Button>
      {isOpen && <RunAgainDialog id={run_id} onClose={() => setOpen(false)} />}
    </>
  );
}

function RunAgainDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const [, navigate] = useLocation();
  const query = useQuery(runAgainPlanQuery(id));
  return (
    <FormDialog
      title="Run again?"
      action="Start run"
      isComplete={query.data !== undefined && query.error === null}
      onSend={(once) => millrace.runs.again(id, once)}
      onSent={({ run_id }) => {
        announce("Started a new run.");
        onClose();
        void queryClient.invalidateQueries({ queryKey: rerunsQuery(id).queryKey });
        navigate(`/runs/${run_id}`);
      }}
      onClose={onClose}
    >
      <Loaded query={query}>{(plan) => <PlanOfRun plan={plan} />}</Loaded>
    </FormDialog>
  );
}

function PlanOfRun({ plan }: { plan: Plan }) {
  return (
    <>
      <p>{startText(plan)}</p>
      <Facts>
        {plan.factory !== undefined && <Fact name="Factory">{plan.factory}</Fact>}
        <Fact name="Agent">{plan.agent ?? "The server's default agent"}</Fact>
        {plan.delivery_id !== undefined && <Fact name="Delivery">{plan.delivery_id}</Fact>}
        <Fact name="Files">{listed(plan.attachments)}</Fact>
        <Fact name="Secrets">{listed(plan.secrets)}</Fact>
      </Facts>
      {plan.automation_enabled === false && <p>The automation is disabled. This run starts anyway.</p>}
      {plan.is_paused && <p>A pause is in effect: the run waits until it ends.</p>}
    </>
  );
}

function startText({ based_on, automation, delivery_id, schedule, title }: Plan): string {
  if (based_on === "request")
    return `Starts one run with the recorded prompt and configuration of “${title}”. No automation is involved.`;
  if (delivery_id !== undefined)
    return `Starts one run of the automation “${automation}” as it is defined now, with the same delivery. No other automation starts.`;
  const origin = schedule === undefined ? "" : ` for the schedule “${schedule}”`;
  return `Starts one run of the automation “${automation}” as it is defined now${origin}.`;
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? "None" : names.join(", ");
}
