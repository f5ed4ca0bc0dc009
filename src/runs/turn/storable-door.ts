import { storable } from "../../platform/storable-text.ts";
import type { TurnDoor } from "./turn-door.ts";

/**
 * A door through which every text that an agent, its program or a worker tells can be stored: nobody is there to be told that one
 * cannot. Output goes through as it is, since a transcript holds bytes, and so do the values to be hidden in it.
 */
export function storableDoor(door: TurnDoor): TurnDoor {
  return {
    ...door,
    start: told(door.start),
    finish: told(door.finish),
    keepReport: told(door.keepReport),
    keepReaches: told(door.keepReaches),
    keepUsage: (usage, source) => door.keepUsage(storable(usage), source),
    addFile: told(door.addFile),
    proposePlan: told(door.proposePlan),
    findAttachment: told(door.findAttachment),
    session: {
      ...door.session,
      offer: told(door.session.offer),
      give: told(door.session.give),
      confirm: told(door.session.confirm),
    },
  };
}

function told<Told, Answer>(call: (told: Told) => Answer): (told: Told) => Answer {
  return (value) => call(storable(value));
}
