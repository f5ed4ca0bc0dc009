/** What the stored deliveries of the last days would have started, by the definition in force and by the planned one. */
export interface Traffic {
  /** The instant from which on deliveries were looked at. */
  since: string;
  /** The number of deliveries that were replayed. */
  deliveries: number;
  /** Whether these are all that there are since then; older ones are left out when there are too many. */
  complete: boolean;
  /** The automations that at least one of the deliveries would have started, before or after; those that change first. */
  automations: AutomationTraffic[];
}

export interface AutomationTraffic {
  name: string;
  /** How many runs by the definition in force. */
  before: number;
  /** How many by the planned one. */
  after: number;
  /** Deliveries that would start a run and do not now, the newest first; a few examples. */
  starts: string[];
  /** Deliveries that start a run now and would not. */
  stops: string[];
  /** Of one that has a key or a window by the planned definition: the deliveries behind its runs. */
  grouped?: { deliveries: number; continued: number };
  /** What its runs have cost; nothing where that is not known. */
  cost?: RunCost;
}

/** What a run of an automation costs, as far as its last ones tell. */
export interface RunCost {
  /** In US dollars. */
  median: number;
  /** Of how many runs. */
  runs: number;
}

/** Whether other deliveries start an automation than before, or as many make other runs. */
export function isChanged({ starts, stops, before, after }: AutomationTraffic): boolean {
  return starts.length + stops.length > 0 || before !== after;
}
