/**
 * The memory that bodies of requests may take while they are on their way, of all senders at all doors of the server together.
 * Most bodies are read before it is known whether their sender may send anything, so anybody may begin one, and nobody has to
 * end it.
 */
export interface BodyRoom {
  /** Lets another body begin. @returns nothing when as many are on their way as may be */
  enter(): BodyShare | undefined;
}

/** What one body takes of the room. */
export interface BodyShare {
  /** Takes more of the room. @returns whether there was so much left */
  take(bytes: number): boolean;
  /** Gives everything back. */
  leave(): void;
}

export interface RoomSize {
  bytes: number;
  bodies: number;
}

const ROOM_OF_SERVER: RoomSize = { bytes: 96 * 1024 * 1024, bodies: 2_000 };
/** What comes in by one door leaves room for what comes in by another. */
const ROOM_OF_DOOR: RoomSize = { bytes: 64 * 1024 * 1024, bodies: 1_200 };

/** The room of a server, as its doors share it. */
export function createBodyRooms(): Record<"ingress" | "pushHooks" | "api", BodyRoom> {
  const all = createBodyRoom(ROOM_OF_SERVER);
  const door = () => createBodyRoom(ROOM_OF_DOOR, all);
  return { ingress: door(), pushHooks: door(), api: door() };
}

/** @param around what it is a part of, and takes room of too */
export function createBodyRoom({ bytes, bodies }: RoomSize, around?: BodyRoom): BodyRoom {
  let held = 0;
  let inside = 0;
  return {
    enter() {
      if (inside >= bodies) return undefined;
      const outer = around?.enter();
      if (around && !outer) return undefined;
      inside += 1;
      let own = 0;
      let hasLeft = false;
      return {
        take(more) {
          if (held + more > bytes || outer?.take(more) === false) return false;
          held += more;
          own += more;
          return true;
        },
        leave() {
          if (hasLeft) return;
          hasLeft = true;
          inside -= 1;
          held -= own;
          outer?.leave();
        },
      };
    },
  };
}
