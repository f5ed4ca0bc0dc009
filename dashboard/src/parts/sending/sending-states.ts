import type { Models } from "../../api/client.ts";
import type { Tone } from "../chip.tsx";

type SendingState = Models["Notification"]["state"] | Models["OutboundDelivery"]["state"];

/** How something stands that is sent, in words. */
export const SENDING_WORDS: Readonly<Record<SendingState, string>> = {
  waiting: "Waiting",
  sent: "Sent",
  failed: "Failed",
  dropped: "Dropped",
};

export const SENDING_TONES: Readonly<Record<SendingState, Tone>> = {
  waiting: "blue",
  sent: "green",
  failed: "red",
  dropped: "grey",
};
