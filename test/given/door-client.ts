import { randomUUID } from "node:crypto";
import type { ProcessFacts } from "../../src/workers/worker.ts";
import type { Server } from "./server.ts";
import { someFacts } from "./workers.ts";

export interface WireTurn {
  run: { id: string; prompt: string };
  ticket: number;
  secrets: [string, string][];
  isElsewhere?: boolean;
  runToken: string;
}

interface DoorClientChoices {
  name?: string;
  factories?: string[];
  /** The token of a worker that is there already. */
  token?: string;
  /** What it reports of itself. */
  facts?: Partial<ProcessFacts>;
}
export type Client = Awaited<ReturnType<typeof doorClient>>;

/** Speaks the protocol of workers by hand, as a worker that may be hostile. */
export async function doorClient(
  server: Pick<Server, "api" | "fetch">,
  { name = "builder", factories, token, facts: own = {} }: DoorClientChoices = {},
) {
  const made =
    token === undefined
      ? await server.api<{ id: string; token: string }>("POST", "/workers", { name, factories })
      : { id: "", token };
  const process = `p-${randomUUID()}`;
  const post = async (path: string, body: object, as = made.token) => {
    const answer = await fetch(`${base(server)}/api/v1/workers/door/${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${as}`, "content-type": "application/json" },
      body: JSON.stringify({ protocol: 1, process, ...body }),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  const facts = someFacts({ labels: [], ...own });
  return {
    ...made,
    process,
    post,
    /** Takes turns, as many as there are, and waits for one. */
    async claim(free = 1, waitMs = 5_000, claim: string = randomUUID()): Promise<WireTurn[]> {
      const { body } = await post("claim", { claim, facts, free, waitMs });
      return (body.turns ?? []) as WireTurn[];
    },
    beat: (turns: object[], more: object = {}) =>
      post("beat", { facts, turns, isDraining: false, waitMs: 0, ...more }),
    call: (turn: { id: string; ticket: number }, call: string, parameters: object = {}) =>
      post("call", { turn, call, parameters }),
    upload: (turn: { id: string; ticket: number }, file: string, bytes: string) =>
      fetch(
        `${base(server)}/api/v1/workers/door/files/${turn.id}/${turn.ticket}/${file}?process=${process}`,
        {
          method: "PUT",
          headers: { authorization: `Bearer ${made.token}` },
          body: bytes,
        },
      ),
  };
}

const base = (server: object) => (server as Server).url;
