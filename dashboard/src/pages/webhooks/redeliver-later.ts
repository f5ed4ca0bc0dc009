import { later } from "../../parts/time/later.tsx";

/** The dialog that redelivers, which few visits need. */
export const redeliverDialog = later(async () => (await import("./redeliver-dialog.tsx")).RedeliverDialog);
