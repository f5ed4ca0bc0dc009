import { rm } from "node:fs/promises";
import { artifactFile } from "../../runs/output/artifact-folder.ts";
import type { Ending } from "../../runs/run.ts";
import type { Ticket } from "../../runs/ticket.ts";
import { doorOf, parametersOf, type TurnCallName } from "../../runs/turn/turn-calls.ts";
import type { TurnDoor } from "../../runs/turn/turn-door.ts";
import { type DoorClient, ServerBroken, ServerRefusal } from "./door-client.ts";

export interface RemoteDoorOptions {
  client: Pick<DoorClient, "call" | "upload">;
  turn: Ticket;
  /** What the server hides of the turn since it has assigned it: it need not be told that. */
  hidden: readonly string[];
  /** Whether the agent was started by an earlier process. */
  isStarted: boolean;
  /** Where the executor keeps files that agents leave, until they have been sent. */
  artifacts: string;
  /** Aborts when nothing more may be said of the turn. */
  over: AbortSignal;
  /** Has this called when the server was restarted, and has to be told again what it does not store. */
  onForgotten(listener: () => void): void;
  /** Hears that the server has given the turn to somebody else, or has ended it. */
  onLost(): void;
  /** Hears that the server cannot carry out a call of the turn: its agent is to end. */
  onBroken(call: string, reason: string): void;
}

/** The door of a turn over the network, and the end of a turn that the server has not carried through. */
export interface RemoteDoor extends TurnDoor {
  /** Ends the turn with ERROR if the server could not carry out one of its calls, and nobody has ended it yet. */
  finishBroken(): Promise<void>;
}

/** The door of a turn over the network. What it is told goes out in its order, and is told again until it is answered. */
export function remoteDoor(options: RemoteDoorOptions): RemoteDoor {
  const { client, turn, artifacts, hidden, over, onForgotten, onLost, onBroken } = options;
  let { isStarted } = options;
  let broken: Ending | undefined;
  const brokenCalls = new Map<TurnCallName, ServerBroken>();
  async function call(name: TurnCallName, parameters: object = {}): Promise<unknown> {
    // The end of the turn must not wait for it again.
    const before = brokenCalls.get(name);
    if (before) throw before;
    try {
      return await client.call(turn, name, parameters, over);
    } catch (error) {
      if (error instanceof ServerRefusal && error.isLostTurn) onLost();
      if (error instanceof ServerBroken) {
        brokenCalls.set(name, error);
        onBroken(name, error.message);
        // Nobody can tell the server of the end: it ends the turn after the lease.
        if (name === "finish") onLost();
        else broken ??= brokenEnding(name, error.message, isStarted);
      }
      throw error;
    }
  }
  // The server is believed as to the form of its answers: it decides what is executed here in any case.
  const ask = <Answer>(name: TurnCallName, parameters?: object) => call(name, parameters) as Promise<Answer>;
  /** Of a turn that is not this worker's any more nothing is told, and nobody has to know. */
  async function tell(name: TurnCallName, parameters: object): Promise<unknown> {
    return call(name, parameters).catch((error) => {
      if (!over.aborted) throw error;
    });
  }
  /** What the server keeps in its memory only: the calls of the session, and of the values. */
  const told: { hidden?: object; session?: object } = {};
  let isTelling = false;
  async function tellAgain(): Promise<void> {
    if (told.session) await ask("session.open", told.session);
    // Last: once it knows the values, the server takes reports of the agent again.
    if (told.hidden) await ask("hide", told.hidden);
  }
  let isFinished = false;
  async function finish(ending: Ending): Promise<void> {
    if (over.aborted) return;
    await tell("finish", { ending });
    isFinished = true;
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
  const door = doorOf(
    (name, row) =>
      (...said) =>
        (row.isReport ? tell : ask)(name, parametersOf(row, said)),
  );
  return {
    ...door,
    async hide(values) {
      told.hidden = { values };
      const isKnown = values.length === hidden.length && values.every((value) => hidden.includes(value));
      if (!isKnown) await ask("hide", told.hidden);
    },
    async start(start) {
      isStarted = true;
      return ask("start", start);
    },
    finish: (ending) => finish(broken ?? ending),
    async finishBroken() {
      if (broken && !isFinished) await finish(broken);
    },
    // A server of an earlier version knows no source, takes what the program tells, and answers nothing.
    keepUsage: async (usage, source) =>
      (await door.keepUsage(usage, source === "harness" ? undefined : source)) ?? {},
    async addFile({ id, path, size, sha256, holdsSecret }) {
      const bytes = artifactFile(artifacts, turn.id, id);
      await client.upload(turn, { id, size, path: bytes }, over);
      const limit = await door.addFile({ id, path, size, sha256, holdsSecret });
      await rm(bytes, { force: true });
      return limit;
    },
    session: {
      ...door.session,
      open(idleMs) {
        told.session = idleMs === undefined ? {} : { idleMs };
        return ask("session.open", told.session);
      },
      close() {
        delete told.session;
        return door.session.close();
      },
    },
  };
}

function brokenEnding(call: string, reason: string, isStarted: boolean): Ending {
  const message = `The turn was ended, because the server could not carry out the call ${call} of its worker: ${reason}. See the log of the server, and send a follow-up to start another turn.`;
  return {
    state: "ERROR",
    exitCode: null,
    statusMessage: { message, error_code: "infrastructure_timeout", retryable: true },
    ...(isStarted ? {} : { isUnstarted: true }),
  };
}
