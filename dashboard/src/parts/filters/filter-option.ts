/** A value of a filter. */
export interface FilterOption {
  value: string;
  label: string;
  /** What tells it from others with the same label. */
  detail?: string | undefined;
}
