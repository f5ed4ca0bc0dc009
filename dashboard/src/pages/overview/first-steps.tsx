import { useQuery } from "@tanstack/react-query";
import { CircleCheck, CircleDashed } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Link } from "wouter";
import type { Models } from "../../api/client.ts";
import { webhookActivityQuery, whoamiQuery } from "../../api/queries.ts";
import { useMay, useMayForServer } from "../../frame/use-role.ts";
import { Button } from "../../parts/button.tsx";
import { factoryPath } from "../../parts/factory-path.ts";
import { Section } from "../../parts/page.tsx";
import { CopyBlock } from "../../parts/text/copyable.tsx";
import { inShell } from "../../parts/text/in-shell.ts";
import styles from "./first-steps.module.css";

/** In the browser's storage, for who wants to see it no more. */
const DISMISSED = "millrace-first-steps";

interface Step {
  title: string;
  isDone: boolean;
  /** How it is done. */
  words: ReactNode;
  command?: string;
}

/** What a new server still lacks until its first delivery, with the commands. It goes when all is done, or when it is dismissed. */
export function FirstSteps({ factories }: { factories: readonly Models["Factory"][] | undefined }) {
  const { data: who } = useQuery(whoamiQuery);
  const { data: webhooks } = useQuery(webhookActivityQuery(undefined));
  const [isDismissed, setDismissed] = useState(() => localStorage.getItem(DISMISSED) !== null);
  const mayOperate = useMay("operator");
  const seesServer = useMayForServer("viewer");
  if (isDismissed || !mayOperate || !seesServer || !who || !factories || !webhooks) return null;
  const steps = stepsOf(who, factories, webhooks);
  if (steps.every(({ isDone }) => isDone)) return null;
  const dismiss = () => {
    localStorage.setItem(DISMISSED, "yes");
    setDismissed(true);
  };
  const next = steps.find(({ isDone }) => !isDone);
  return (
    <Section
      title="First steps"
      aside={
        <Button isSmall kind="quiet" onPress={dismiss}>
          Dismiss
        </Button>
      }
    >
      <ol className={styles.steps}>
        {steps.map((step) => (
          <li key={step.title} className={step.isDone ? styles.done : ""}>
            {step.isDone ? (
              <CircleCheck size={18} className={styles.tick} aria-hidden />
            ) : (
              <CircleDashed size={18} aria-hidden />
            )}
            <div className={styles.step}>
              <strong>
                {step.title}
                <span className="visually-hidden">{step.isDone ? " (done)" : " (not done)"}</span>
              </strong>
              {!step.isDone && <p>{step.words}</p>}
              {step === next && step.command !== undefined && (
                <CopyBlock text={step.command} what="the command" />
              )}
            </div>
          </li>
        ))}
      </ol>
    </Section>
  );
}

function stepsOf(
  who: Models["Whoami"],
  factories: readonly Models["Factory"][],
  webhooks: Models["WebhookActivityList"]["webhooks"],
): Step[] {
  const managed = factories.find(({ mode }) => mode === "managed");
  const factory = managed ?? factories[0];
  const webhook = webhooks[0];
  const isApplied = factories.some(({ sync }) => sync.applied_revision !== null);
  return [
    {
      title: "Add a factory",
      isDone: isApplied,
      words:
        "Start the server with a repository as its source (millrace serve URL), or create a factory whose definition millrace stores.",
      command: "millrace factories create my-factory",
    },
    {
      title: "Choose the program that runs agents",
      isDone: isApplied && who.server_notices.length === 0,
      words:
        "Set harness.type in the definition to claude, codex, gemini or opencode, or restart the server with a program of your own.",
      command: `MILLRACE_AGENT_COMMAND="sh /path/to/agent.sh" millrace serve`,
    },
    {
      title: "Add a webhook",
      isDone: webhook !== undefined,
      words: factory ? (
        <>
          Add it on the <Link href={factoryPath(factory.name, "webhooks")}>Webhooks</Link> page, or{" "}
          {managed ? "run this command." : "in the repository of the factory."}
        </>
      ) : (
        "A webhook receives the deliveries that start runs."
      ),
      ...(managed
        ? { command: `millrace webhooks create my-webhook --factory ${inShell(managed.name)}` }
        : {}),
    },
    {
      title: "Receive the first delivery",
      isDone: webhooks.some(({ latest }) => latest.length > 0),
      words: webhook ? (
        <>
          Give the URL and the secret of{" "}
          <Link href={factoryPath(webhook.factory, "webhooks", webhook.uid)}>{webhook.name}</Link> to its
          sender, or send a test delivery.
        </>
      ) : (
        "Send a test delivery, or connect the system that sends deliveries."
      ),
      ...(webhook
        ? {
            command: `millrace webhooks send ${inShell(webhook.name)} --factory ${inShell(webhook.factory)}`,
          }
        : {}),
    },
  ];
}
