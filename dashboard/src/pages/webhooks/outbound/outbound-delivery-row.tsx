import { useQuery } from "@tanstack/react-query";
import { ChevronDown, ChevronRight } from "lucide-react";
import { Button as AriaButton } from "react-aria-components";
import { Link } from "wouter";
import { type Models, millrace } from "../../../api/client.ts";
import { useMay } from "../../../frame/use-role.ts";
import { announce } from "../../../parts/announcer.tsx";
import { Button } from "../../../parts/button.tsx";
import { Chip } from "../../../parts/chip.tsx";
import { Fact, Facts } from "../../../parts/facts.tsx";
import { ProblemNotice } from "../../../parts/problem-notice.tsx";
import { AttemptNotes } from "../../../parts/sending/attempt-notes.tsx";
import { SENDING_TONES, SENDING_WORDS } from "../../../parts/sending/sending-states.ts";
import { main, muted, right, wide } from "../../../parts/tables/data-table.tsx";
import { Loaded } from "../../../parts/tables/loaded.tsx";
import { Json } from "../../../parts/text/json.tsx";
import { ScrollText } from "../../../parts/text/scroll-text.tsx";
import { RelativeTime } from "../../../parts/time/relative-time.tsx";
import { useAction } from "../../../parts/use-action.ts";
import detail from "../delivery-detail.module.css";
import styles from "../recent-deliveries.module.css";
import { outboundBodyQuery, refreshOutbound } from "./outbound-queries.ts";
import type { Place } from "./place.ts";

interface OutboundDeliveryProps {
  place: Place;
  outbound: Models["Outbound"];
  delivery: Models["OutboundDelivery"];
}

interface OutboundDeliveryRowProps extends OutboundDeliveryProps {
  isOpen: boolean;
  onToggle: () => void;
  /** How many the table has. */
  columns: number;
}

/** One event that was sent or waits, with its body and its last response when it is open. */
export function OutboundDeliveryRow({ isOpen, onToggle, columns, ...of }: OutboundDeliveryRowProps) {
  const { id, state, event, run_id, attempts, last_error, response, created_at, next_attempt_at } =
    of.delivery;
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    <>
      <tr className={styles.row}>
        <td>
          <div className={styles.outcome}>
            <AriaButton
              className={styles.toggle ?? ""}
              aria-expanded={isOpen}
              aria-label={`${isOpen ? "Close" : "Open"} event ${id}`}
              onPress={onToggle}
            >
              <Chevron size={16} aria-hidden />
            </AriaButton>
            <Chip tone={SENDING_TONES[state]}>{SENDING_WORDS[state]}</Chip>
          </div>
        </td>
        <td className={main}>
          {run_id === null ? event : <Link href={`/runs/${run_id}`}>{event}</Link>}
          <AttemptNotes
            lastError={last_error}
            nextAttemptAt={state === "waiting" && attempts > 0 ? next_attempt_at : null}
          />
        </td>
        <td className={`${wide} ${muted}`}>{response?.status ?? "-"}</td>
        <td className={`${wide} ${right} ${muted}`}>{attempts}</td>
        <td className={`${right} ${muted}`}>
          <RelativeTime at={created_at} />
        </td>
      </tr>
      {isOpen && (
        <tr className={styles.detail}>
          <td colSpan={columns}>
            <OutboundDeliveryDetail {...of} />
          </td>
        </tr>
      )}
    </>
  );
}

function OutboundDeliveryDetail({ place, outbound: { name, enabled }, delivery }: OutboundDeliveryProps) {
  const { id, webhook_id, response, redelivered_at } = delivery;
  const mayOperate = useMay("operator");
  const body = useQuery(outboundBodyQuery(place, name, id));
  const again = useAction({
    send: () => millrace.outbound.redeliver(place, name, id),
    onDone: () => announce("The event will be sent again."),
    onSettled: () => refreshOutbound(place),
  });
  return (
    <div className={detail.detail}>
      <Facts>
        <Fact name="webhook-id">
          <code>{webhook_id}</code>
        </Fact>
        {redelivered_at !== null && (
          <Fact name="Redelivered">
            <RelativeTime at={redelivered_at} />
          </Fact>
        )}
        {response && (
          <Fact name="Last response">
            {response.status}, after {response.duration_ms} ms
          </Fact>
        )}
      </Facts>
      {mayOperate && enabled && (
        <div className={detail.actions}>
          <Button isSmall isPending={again.isPending} onPress={() => again.run()}>
            Redeliver
          </Button>
        </div>
      )}
      {again.error && <ProblemNotice error={again.error} />}
      {response?.body && <ScrollText label="Body of the response" text={response.body} />}
      <Loaded query={body}>{(value) => <Json value={value} />}</Loaded>
    </div>
  );
}
