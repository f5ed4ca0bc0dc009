import { awaitStore, type StorePatience } from "./await-store.ts";
import type { TurnDoor } from "./turn-door.ts";

/**
 * A door that waits for a store that is away, in what comes before the agent and after it. Workers elsewhere wait for the server in
 * the same way. What is said while the agent is at work is told again by whoever says it.
 */
export function patientDoor(door: TurnDoor, patience: StorePatience): TurnDoor {
  const patient =
    <Told extends unknown[], Answer>(call: (...told: Told) => Promise<Answer>) =>
    (...told: Told) =>
      awaitStore(() => call(...told), patience);
  return {
    ...door,
    hide: patient(door.hide),
    listAttachments: patient(door.listAttachments),
    findAttachment: patient(door.findAttachment),
    findSkills: patient(door.findSkills),
    listMessages: patient(door.listMessages),
    findConversation: patient(door.findConversation),
    findEventSize: patient(door.findEventSize),
    start: patient(door.start),
    addFile: patient(door.addFile),
    listArtifacts: patient(door.listArtifacts),
    proposePlan: patient(door.proposePlan),
  };
}
