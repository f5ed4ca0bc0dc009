import { rm } from "node:fs/promises";
import { artifactFile } from "../runs/output/artifact-files.ts";
import type { Ticket } from "../runs/run.ts";
import type { TurnDoor } from "../runs/turns/turn-door.ts";
import type { TurnCallName } from "../workers/protocol/turn-calls.ts";
import type { DoorClient } from "./door-client.ts";
import { ServerRefusal } from "./server-answer.ts";

export interface RemoteDoorOptions {
  client: Pick<DoorClient, "call" | "upload">;
  turn: Ticket;
  /** Where the executor keeps files that agents leave, until they have been sent. */
  artifacts: string;
  /** Aborts when nothing more may be said of the turn. */
  over: AbortSignal;
  /** Has this called when the server was restarted, and has to be told again what it does not store. */
  onForgotten(listener: () => void): void;
  /** Hears that the server has given the turn to somebody else, or has ended it. */
  onLost(): void;
}

/** The door of a turn over the network. What it is told goes out in its order, and is told again until it is answered. */
export function remoteDoor(options: RemoteDoorOptions): TurnDoor {
  const { client, turn, artifacts, over, onForgotten, onLost } = options;
  async function call(name: TurnCallName, parameters: object = {}): Promise<unknown> {
    try {
      return await client.call(turn, name, parameters, over);
    } catch (error) {
      if (error instanceof ServerRefusal && error.isLostTurn) onLost();
      throw error;
    }
  }
  // The server is believed as to the form of its answers: it decides what is executed here in any case.
  const ask = <Answer>(name: TurnCallName, parameters?: object) => call(name, parameters) as Promise<Answer>;
  /** What the server keeps in its memory only: the calls of the session, and of the values. */
  const told: { hidden?: object; session?: object } = {};
  let isTelling = false;
  async function tellAgain(): Promise<void> {
    if (told.session) await ask("session.open", told.session);
    // Last: once it knows the values, the server takes reports of the agent again.
    if (told.hidden) await ask("hide", told.hidden);
  }
  onForgotten(() => {
    if (isTelling) return;
    isTelling = true;
    void tellAgain()
      // The next beat finds that it is still forgotten.
      .catch(() => {})
      .finally(() => {
        isTelling = false;
      });
  });
  return {
    hide(values) {
      told.hidden = { values };
      return ask("hide", told.hidden);
    },
    start: (start) => ask("start", start),
    async finish(ending) {
      // Of a turn that is not this worker's any more nothing is told.
      if (over.aborted) return;
      await ask<void>("finish", { ending }).catch((error) => {
        const isOver = over.aborted || (error instanceof ServerRefusal && error.isLostTurn);
        if (!isOver) throw error;
      });
    },
    listAttachments: () => ask("listAttachments"),
    findAttachment: (name) => ask("findAttachment", { name }),
    findSkills: () => ask("findSkills"),
    listMessages: () => ask("listMessages"),
    findConversation: () => ask("findConversation"),
    append: (chunks) => ask("append", { chunks }),
    findEventSize: () => ask("findEventSize"),
    keepReport: (report) => ask("keepReport", report),
    keepUsage: (usage) => ask("keepUsage", { usage }),
    listUsage: () => ask("listUsage"),
    async addFile({ id, path, size, sha256, holdsSecret }) {
      const bytes = artifactFile(artifacts, turn.id, id);
      await client.upload(turn, { id, size, path: bytes }, over);
      const file = { id, path, size, sha256, holdsSecret };
      const limit = await ask<Awaited<ReturnType<TurnDoor["addFile"]>>>("addFile", { file });
      await rm(bytes, { force: true });
      return limit;
    },
    listArtifacts: () => ask("listArtifacts"),
    proposePlan: (plan) => ask("proposePlan", plan),
    session: {
      open(idleMs) {
        told.session = idleMs === undefined ? {} : { idleMs };
        return ask("session.open", told.session);
      },
      close() {
        delete told.session;
        return ask("session.close");
      },
      listUngiven: () => ask("session.listUngiven"),
      offer: (id) => ask("session.offer", { id }),
      give: (ids) => ask("session.give", { ids }),
      confirm: (id) => ask("session.confirm", { id }),
      keepRest: () => ask("session.keepRest"),
      findIsWaiting: () => ask("session.findIsWaiting"),
      reply: (id, text) => ask("session.reply", { id, text }),
    },
  };
}
