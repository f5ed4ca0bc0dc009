import { millrace } from "../../../api/client.ts";
import { announce } from "../../../parts/announcer.tsx";
import { useAction } from "../../../parts/use-action.ts";
import { refreshOutbound } from "./outbound-queries.ts";
import type { Place } from "./place.ts";

/** Sends a test event, and tells how that went. */
export function useTest(place: Place, name: string) {
  return useAction({
    send: () => millrace.outbound.test(place, name),
    onDone: (sent) =>
      announce(
        sent.state === "sent"
          ? `Sent a test event to ${name}.`
          : `The test event was not accepted: ${sent.last_error}.`,
      ),
    onSettled: () => refreshOutbound(place),
  });
}
