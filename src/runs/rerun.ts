/** What a run that repeats another one takes from it. */
export interface Rerun {
  /** The id of the run that is repeated. */
  of: string;
  /** The delivery that started it. */
  deliveryId: string | null;
}
