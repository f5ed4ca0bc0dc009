import { seldom } from "../../concurrency/shared-work.ts";
import type { Frame } from "../../insight/periods.ts";
import type { Factories } from "../../reconcile/factories.ts";
import type { RunningFactory } from "../../reconcile/running-factory.ts";
import { findFactory } from "../factories/factories.ts";
import type { Called } from "../http/endpoint.ts";
import { type AskedTime, askedFrame } from "./asked-frame.ts";

/** What an answer says of itself beside its figures. */
type Common = "as_of" | "team_uid" | "factory_uid" | "period_list";
export type FiguresOf<Answer> = Omit<Answer, Common>;

/** What figures are asked for. */
export interface AskedFigures {
  factory: RunningFactory;
  uid: string;
  frame: Frame;
  /** When they are. */
  now: Date;
}

interface FiguresRequest extends Called {
  operation: string;
  path: { uid: string };
  query: AskedTime;
}

/** Figures over many runs take the reader some seconds. They are made in a twentieth of the time. */
const REST_FACTOR = 20;

/** Makes answers of figures, each with the time as of which it was made. */
export function figuresMaker({ factories, now }: { factories: Factories; now: () => Date }) {
  const rarely = seldom(REST_FACTOR, now);
  return {
    /** Finds out something of a factory, unless it was found out a little while ago. */
    known: <Found>(what: string, uid: string, find: () => Promise<Found>) =>
      rarely(JSON.stringify([what, uid]), async () => {
        const as_of = now().toISOString();
        return { ...commonOf(uid, as_of), found: await find() };
      }),
    async answer<Figures extends object>(
      request: FiguresRequest,
      figuresOf: (asked: AskedFigures) => Promise<Figures>,
    ) {
      const { operation, query } = request;
      const factory = findFactory(request, factories);
      const { uid } = factory.record;
      const json = await rarely(JSON.stringify([operation, uid, query]), async () => {
        const at = now();
        const frame = askedFrame(query, at);
        const figures = await figuresOf({ factory, uid, frame, now: at });
        // Figures out of what was known before are as of then.
        return { ...commonOf(uid, at.toISOString()), ...periodsOf(frame), ...figures };
      });
      return { json };
    },
  };
}

function commonOf(uid: string, as_of: string) {
  return { as_of, team_uid: "", factory_uid: uid };
}

function periodsOf({ division }: Frame): { period_list?: string[] } {
  return division ? { period_list: [...division.labels] } : {};
}
