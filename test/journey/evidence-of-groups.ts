import { type Evidence, shown } from "./evidence.ts";

/** What automations say of deliveries that belong together. */
export const GROUPED: Record<string, Evidence> = {
  "millrace.concurrency.key": shown(
    "ingress/keyed-deliveries.system.ts",
    "become one run that has the bodies of all",
  ),
  "millrace.concurrency.whileRunning": shown(
    "ingress/keyed-deliveries.system.ts",
    "replace a run that is at work",
  ),
  "millrace.concurrency.forgetAfter": shown(
    "store/run-keys/continued-runs.test.ts",
    "starts another run after forgetAfter",
  ),
  "millrace.concurrency.maxTurns": shown(
    "store/run-keys/continued-runs.test.ts",
    "starts another run after maxTurns",
  ),
  "millrace.debounce": shown(
    "ingress/keyed-deliveries.system.ts",
    "become one run that has the bodies of all",
  ),
  "millrace.debounce.quiet": shown(
    "store/run-keys/windows.test.ts",
    "makes one run of the deliveries that come in it",
  ),
  "millrace.debounce.longest": shown("store/run-keys/windows.test.ts", "ends after the longest time"),
};

/** What a test of several deliveries says. */
export const SEQUENCES: Record<string, Evidence> = {
  ...Object.fromEntries(
    ["deliveries", "deliveries.payload", "deliveries.webhook", "deliveries.at", "runs", "runsTake"].map(
      (key) => [
        key,
        shown("definitions/concurrency-rules.test.ts", "passes if these are the runs that they make"),
      ],
    ),
  ),
  "deliveries.event": shown(
    "definitions/concurrency-rules.test.ts",
    "counts only deliveries that fire the automation, by their webhook and their event",
  ),
};
