const DAY_MS = 86_400_000;

/** When a new key can expire, in days from now; nothing is never. */
export const EXPIRIES = [
  { value: "", label: "never" },
  { value: "7", label: "in 7 days" },
  { value: "30", label: "in 30 days" },
  { value: "90", label: "in 90 days" },
  { value: "365", label: "in a year" },
];

/** The instant of a choice. */
export function expiryAt(choice: string, now: number): string | undefined {
  return choice === "" ? undefined : new Date(now + Number(choice) * DAY_MS).toISOString();
}
