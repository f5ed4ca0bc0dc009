import type { Harness } from "../definitions/definition.ts";
import type { EventCheckout } from "../git/checkout.ts";

/** What executing a run takes, beyond what its configuration shows. */
export interface RunExecution {
  harness: Harness;
  /** Names of the managed secrets that the agent gets. */
  secrets: string[];
  /** The only secrets that the run gets of whatever else grants it some: the list of its request. */
  onlySecrets?: string[];
  /** What the event that started the run is about. */
  checkout?: EventCheckout;
  /** It belongs to no factory because there were several, and its request named none. */
  betweenFactories?: boolean;
  /** What the sender of the delivery that started it calls its event. */
  event?: string;
  /** Whether it gets a token with which it may push to one repository. */
  push?: boolean;
}
