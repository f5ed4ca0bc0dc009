import type { Models } from "../../../api/client.ts";
import type { Tone } from "../../../parts/chip.tsx";
import { SENDING_WORDS } from "../../../parts/sending/sending-states.ts";

export const OUTBOUND_STATES: Readonly<Record<Models["Outbound"]["state"], { tone: Tone; word: string }>> = {
  ready: { tone: "green", word: "Ready" },
  failing: { tone: "red", word: "Failing" },
  open: { tone: "red", word: "Waiting" },
  stopped: { tone: "amber", word: "Stopped" },
  disabled: { tone: "grey", word: "Disabled" },
};

export function isDeliveryState(word: string | null): word is Models["OutboundDelivery"]["state"] {
  return word !== null && Object.hasOwn(SENDING_WORDS, word);
}
