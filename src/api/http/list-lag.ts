import type { Response } from "express";

/** The header of a list that is behind, as the description of the API has it. */
export const LIST_LAG_HEADER = {
  "Millrace-List-Lag": {
    description:
      "For how many seconds changes have been waiting to appear in the list. The header is missing if the list is up to date.",
    schema: { type: "integer", minimum: 1 },
  },
} as const;

/** Tells the caller of a list for how many whole seconds a change has been waiting to appear in it. */
export function setListLag(response: Response, behindSince: string | undefined): void {
  if (behindSince === undefined) return;
  const seconds = Math.floor((Date.now() - Date.parse(behindSince)) / 1_000);
  if (seconds > 0) response.setHeader("Millrace-List-Lag", String(seconds));
}
