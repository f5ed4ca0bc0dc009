import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { type Models, millrace } from "../../../api/client.ts";
import { Button } from "../../../parts/button.tsx";
import { Checks } from "../../../parts/checks.tsx";
import { Chip } from "../../../parts/chip.tsx";
import { Choice, Field } from "../../../parts/forms/field.tsx";
import { FieldRow, Form } from "../../../parts/forms/form.tsx";
import { Section } from "../../../parts/page.tsx";
import { ProblemNotice } from "../../../parts/problem-notice.tsx";
import { Json } from "../../../parts/text/json.tsx";
import styles from "./explain-event.module.css";
import type { Place } from "./place.ts";

type EventType = Models["OutboundQuestion"]["event"];

interface ExplainEventProps {
  place: Place;
  outbound: Models["Outbound"];
}

/** Says of an event that happened to something whether it would be sent now, and why. */
export function ExplainEvent({ place, outbound: { name, events } }: ExplainEventProps) {
  const [event, setEvent] = useState(events[0] ?? "run.ended");
  const [subject, setSubject] = useState("");
  const needsSubject = place === null || !event.startsWith("definition.");
  const isComplete = !needsSubject || subject.trim() !== "";
  const { mutate, reset, data, error, isPending } = useMutation({
    mutationFn: () =>
      millrace.outbound.explain(place, name, {
        event,
        ...(needsSubject ? { subject: subject.trim() } : {}),
      }),
  });
  return (
    <Section title="Explain an event">
      <div className={styles.parts}>
        <Form onSubmit={() => isComplete && mutate()}>
          <FieldRow>
            {needsSubject && (
              <Field
                label={subjectOf(event)}
                isMono
                value={subject}
                onChange={(value) => {
                  setSubject(value);
                  reset();
                }}
              />
            )}
            <Choice
              label="Event"
              value={event}
              onChange={(value) => {
                setEvent(events.find((each) => each === value) ?? event);
                reset();
              }}
              options={events.map((value) => ({ value, label: value }))}
            />
            <Button type="submit" isPending={isPending} isDisabled={!isComplete}>
              Explain
            </Button>
          </FieldRow>
        </Form>
        {error && <ProblemNotice error={error} />}
        <div role="status" className={styles.parts}>
          {data && <Explained explanation={data} />}
        </div>
      </div>
    </Section>
  );
}

function Explained({
  explanation: { sends, reason, checks, body },
}: {
  explanation: Models["OutboundExplanation"];
}) {
  return (
    <>
      <p>
        <Chip tone={sends ? "green" : "grey"}>{sends ? "Would be sent" : "Would not be sent"}</Chip> {reason}
      </p>
      <Checks checks={checks} />
      <Json value={body} />
    </>
  );
}

function subjectOf(event: EventType): string {
  if (event.startsWith("run.")) return "Run ID";
  if (event === "delivery.refused") return "Delivery ID";
  if (event === "task.moved") return "Task UID";
  return event === "budget.reached" ? "UID of the factory, agent or automation" : "Factory";
}
