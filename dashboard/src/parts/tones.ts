import type { Models } from "../api/client.ts";
import type { Tone } from "./chip.tsx";

/** The one colour of each word that says how something stands, everywhere. */
export const RUN_TONES: Readonly<Record<Models["RunState"], Tone>> = {
  QUEUED: "grey",
  PENDING: "grey",
  CLAIMED: "blue",
  INPROGRESS: "blue",
  SUCCEEDED: "green",
  BLOCKED: "amber",
  FAILED: "red",
  ERROR: "red",
  CANCELLED: "grey",
};

/** The states of a run as words; the API and the command line have them in capitals. */
export const RUN_WORDS: Readonly<Record<Models["RunState"], string>> = {
  QUEUED: "Queued",
  PENDING: "Pending",
  CLAIMED: "Claimed",
  INPROGRESS: "Running",
  SUCCEEDED: "Succeeded",
  BLOCKED: "Needs an answer",
  FAILED: "Failed",
  ERROR: "Error",
  CANCELLED: "Cancelled",
};

export const OUTCOME_TONES: Readonly<Record<Models["Delivery"]["outcome"], Tone>> = {
  Accepted: "green",
  Duplicate: "grey",
  "Rejected (auth)": "red",
  "Rejected (invalid JSON)": "red",
  "Rejected (too large)": "red",
};

export const SYNC_TONES: Readonly<Record<Models["Factory"]["sync"]["status"], Tone>> = {
  synced: "green",
  pending: "blue",
  failed: "red",
  suspended: "amber",
};

export const SYNC_WORDS: Readonly<Record<Models["Factory"]["sync"]["status"], string>> = {
  synced: "Synced",
  pending: "Pending",
  failed: "Failed",
  suspended: "Suspended",
};

export const WEBHOOK_TONES: Readonly<Record<Models["Webhook"]["status"], Tone>> = {
  active: "green",
  disabled: "grey",
  awaiting_secret: "amber",
  deleted: "grey",
};

export const WEBHOOK_WORDS: Readonly<Record<Models["Webhook"]["status"], string>> = {
  active: "Enabled",
  disabled: "Disabled",
  awaiting_secret: "Awaiting secret",
  deleted: "Deleted",
};
