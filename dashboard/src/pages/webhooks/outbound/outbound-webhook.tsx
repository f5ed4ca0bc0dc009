import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useParams } from "wouter";
import { type Models, millrace } from "../../../api/client.ts";
import { useFactory } from "../../../frame/use-factory.ts";
import { useMay } from "../../../frame/use-role.ts";
import { Button } from "../../../parts/button.tsx";
import { Chip } from "../../../parts/chip.tsx";
import { Fact, Facts } from "../../../parts/facts.tsx";
import { Actions, Dialog } from "../../../parts/forms/dialog.tsx";
import { FormDialog } from "../../../parts/forms/form-dialog.tsx";
import { Page, Section } from "../../../parts/page.tsx";
import { ProblemNotice } from "../../../parts/problem-notice.tsx";
import { ReadOnlyNote } from "../../../parts/read-only-note.tsx";
import { ShownOnce } from "../../../parts/shown-once.tsx";
import { Loaded } from "../../../parts/tables/loaded.tsx";
import { RelativeTime } from "../../../parts/time/relative-time.tsx";
import { ExplainEvent } from "./explain-event.tsx";
import { OutboundDeliveries } from "./outbound-deliveries.tsx";
import { outboundQuery, refreshOutbound } from "./outbound-queries.ts";
import { OUTBOUND_STATES } from "./outbound-states.ts";
import type { Place } from "./place.ts";
import { useTest } from "./use-test.ts";

/** One outbound webhook: how its receiver is doing, and what was sent or waits. */
export function OutboundWebhook() {
  const { factory: place = null, name = "" } = useParams<{ factory?: string; name: string }>();
  const query = useQuery(outboundQuery(place, name));
  return (
    <Loaded query={query} title="Outbound webhook">
      {(outbound) => <OutboundPage place={place} outbound={outbound} />}
    </Loaded>
  );
}

interface OutboundPageProps {
  place: Place;
  outbound: Models["Outbound"];
}

function OutboundPage({ place, outbound }: OutboundPageProps) {
  const { name, state, enabled, path } = outbound;
  const { factory } = useFactory();
  const [isRotating, setRotating] = useState(false);
  const mayOperate = useMay("operator");
  const mayAdminister = useMay("admin");
  const test = useTest(place, name);
  const { tone, word } = OUTBOUND_STATES[state];
  return (
    <Page
      title={name}
      mark={<Chip tone={tone}>{word}</Chip>}
      lead={`Events are posted to this URL, signed according to Standard Webhooks.${place === null ? " To make a change, edit millrace.yaml and restart the server." : ""}`}
      actions={
        <>
          {mayAdminister && place !== null && (
            <Button onPress={() => setRotating(true)}>Rotate secret</Button>
          )}
          {mayOperate && enabled && (
            <Button kind="main" isPending={test.isPending} onPress={() => test.run()}>
              {test.isPending ? "Sending…" : "Send test"}
            </Button>
          )}
        </>
      }
    >
      {path !== null && <ReadOnlyNote factory={factory} path={path} />}
      {test.error && <ProblemNotice error={test.error} />}
      <Receiver outbound={outbound} />
      <ExplainEvent place={place} outbound={outbound} />
      <OutboundDeliveries place={place} outbound={outbound} />
      {isRotating && place !== null && (
        <RotateOutboundSecret factory={place} outbound={outbound} onClose={() => setRotating(false)} />
      )}
    </Page>
  );
}

function Receiver({ outbound }: Pick<OutboundPageProps, "outbound">) {
  const { origin, events, secret_name, ordered, waiting, failures, next_attempt_at, last_error, state } =
    outbound;
  return (
    <Section title="Receiver">
      <Facts>
        <Fact name="Server">{origin}</Fact>
        <Fact name="Events">{events.join(", ")}</Fact>
        {outbound.factories && <Fact name="Factories">{outbound.factories.join(", ")}</Fact>}
        {outbound.filter && (
          <Fact name="Filter">
            <code>{JSON.stringify(outbound.filter)}</code>
          </Fact>
        )}
        <Fact name="Secret">{secret_name === null ? "From the settings" : <code>{secret_name}</code>}</Fact>
        <Fact name="Order">{ordered ? "By run" : "None"}</Fact>
        <Fact name="Waiting">{waiting}</Fact>
        {failures > 0 && <Fact name="Failed attempts in a row">{failures}</Fact>}
        {next_attempt_at !== null && (
          <Fact name="Next attempt">
            <RelativeTime at={next_attempt_at} />
          </Fact>
        )}
        {state !== "ready" && last_error !== null && <Fact name="Last error">{last_error}</Fact>}
      </Facts>
    </Section>
  );
}

interface RotateOutboundSecretProps {
  factory: string;
  outbound: Models["Outbound"];
  onClose: () => void;
}

/** Has another signing secret made, which is shown this once. */
export function RotateOutboundSecret({ factory, outbound, onClose }: RotateOutboundSecretProps) {
  const { name, secret_name } = outbound;
  const [rotated, setRotated] = useState<Models["OutboundSecret"]>();
  if (rotated) {
    return (
      <Dialog title={`New secret of ${name}`} isOpen onClose={onClose} isDismissable={false}>
        <ShownOnce
          what="the signing secret"
          value={rotated.secret}
          note="Give it to the receiver now: it will not be shown again."
        />
        <Actions>
          <Button kind="main" onPress={onClose}>
            Done
          </Button>
        </Actions>
      </Dialog>
    );
  }
  return (
    <FormDialog
      title={`Rotate the secret of ${name}?`}
      action="Rotate secret"
      kind="danger"
      isComplete
      onSend={(once) => millrace.outbound.rotateSecret(factory, name, once)}
      onSent={(result) => {
        setRotated(result);
        void refreshOutbound(factory);
      }}
      onClose={onClose}
    >
      <p>
        Requests are signed with the new value of <code>{secret_name}</code> immediately. The receiver rejects
        them until it has this value.
      </p>
    </FormDialog>
  );
}
