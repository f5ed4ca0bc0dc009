import { useQuery } from "@tanstack/react-query";
import { CircleX } from "lucide-react";
import { type ReactNode, useState } from "react";
import { BASE } from "../../../api/base.ts";
import type { Run } from "../../../api/models.ts";
import { secretsQuery } from "../../../api/queries.ts";
import { transcriptEndQuery } from "../../../api/run-queries.ts";
import { useMay } from "../../../frame/use-role.ts";
import { Button } from "../../../parts/button.tsx";
import { AmongPageActions } from "../../../parts/page-actions.ts";
import { RunAgain } from "../../../parts/runs/run-again.tsx";
import { CopyBlock } from "../../../parts/text/copyable.tsx";
import { later, openLater } from "../../../parts/time/later.tsx";
import { LastLines } from "../transcript/last-lines.tsx";
import styles from "./failure.module.css";
import { failureOf } from "./failure-words.ts";

const setSecret = later(async () => (await import("../../../frame/set-secret.tsx")).SetSecret);

/** Why a run has failed: what happened, why, and the lines that show it; then what to do. */
export function Failure({ run, onTrace }: { run: Run; onTrace: () => void }) {
  const { data: lines = [] } = useQuery(transcriptEndQuery(run.run_id));
  const { title, reason, secret, command } = failureOf(run, lines);
  const code = run.status_message?.error_code;
  return (
    <>
      <section className={styles.failure} role="note" aria-label="Why it failed">
        <h2>
          <CircleX size={18} aria-hidden /> {title}
        </h2>
        {reason && <p>{reason}</p>}
        <LastLines runId={run.run_id} />
        {code && (
          <p className={styles.code}>
            Error code{" "}
            <a href={`${BASE}/errors/${code}`}>
              <code>{code}</code>
            </a>
          </p>
        )}
      </section>
      <Steps run={run} secret={secret} command={command} onTrace={onTrace} />
    </>
  );
}

interface StepsProps {
  run: Run;
  secret: string | undefined;
  command: string | undefined;
  onTrace: () => void;
}

/** What to do, in order: what has to be set right, then once more. */
function Steps({ run, secret, command, onTrace }: StepsProps) {
  const mayOperate = useMay("operator");
  return (
    <section className={styles.steps} aria-label="What to do">
      <h2>What to do</h2>
      <ol>
        {secret !== undefined && <SecretStep name={secret} />}
        {command !== undefined && (
          <Step title="Make it executable" about="On the machine that executes the run:">
            <CopyBlock text={command} what="the command" />
          </Step>
        )}
        {secret === undefined && command === undefined && (
          <Step
            title="See what it did"
            about="The trace has its steps and its output, with the errors marked."
          >
            <Button onPress={onTrace}>Open the trace</Button>
          </Step>
        )}
        {mayOperate && (
          <Step title="Run it again" about="As it is defined now, after the cause is fixed.">
            <AmongPageActions value={true}>
              <RunAgain run={run} kind={secret === undefined && command === undefined ? "main" : "plain"} />
            </AmongPageActions>
          </Step>
        )}
      </ol>
    </section>
  );
}

function Step({ title, about, children }: { title: string; about: string; children: ReactNode }) {
  return (
    <li>
      <div className={styles.words}>
        <strong>{title}</strong>
        <p>{about}</p>
      </div>
      <div className={styles.action}>{children}</div>
    </li>
  );
}

/** Sets the secret that was refused, for who may. */
function SecretStep({ name }: { name: string }) {
  const mayAdminister = useMay("admin");
  const [isOpen, setOpen] = useState(false);
  const { data: secrets = [] } = useQuery({ ...secretsQuery, enabled: mayAdminister });
  const secret = secrets.find((each) => each.name === name);
  return (
    <Step title="Set a valid value" about={`Agents get the new value of ${name} with their next turn.`}>
      {mayAdminister ? (
        <Button kind="main" onPress={() => void openLater(setSecret, () => setOpen(true))}>
          {`Set ${name}`}
        </Button>
      ) : (
        "Ask an admin."
      )}
      {isOpen && <setSecret.Part secret={secret} named={name} onClose={() => setOpen(false)} />}
    </Step>
  );
}
