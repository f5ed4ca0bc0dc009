import type { Models } from "../../../api/client.ts";
import type { Tone } from "../../../parts/chip.tsx";

interface Shown {
  tone: Tone;
  word: string;
}

export const OUTBOUND_STATES: Readonly<Record<Models["Outbound"]["state"], Shown>> = {
  ready: { tone: "green", word: "Ready" },
  failing: { tone: "red", word: "Failing" },
  open: { tone: "red", word: "Waiting" },
  stopped: { tone: "amber", word: "Stopped" },
  disabled: { tone: "grey", word: "Disabled" },
};

export const OUTBOUND_DELIVERY_STATES: Readonly<Record<Models["OutboundDelivery"]["state"], Shown>> = {
  waiting: { tone: "blue", word: "Waiting" },
  sent: { tone: "green", word: "Sent" },
  failed: { tone: "red", word: "Failed" },
  dropped: { tone: "grey", word: "Dropped" },
};

export function isDeliveryState(word: string | null): word is Models["OutboundDelivery"]["state"] {
  return word !== null && Object.hasOwn(OUTBOUND_DELIVERY_STATES, word);
}
