import type { Factories } from "../reconcile/factories.ts";
import { type FactoryFeedback, type FeedbackDeps, openFactoryFeedback } from "./factory-feedback.ts";
import type { Feedback } from "./feedback.ts";

/** Tells the forges of those factories that have one, each apart from the others: one that is down delays nobody else. */
export function startFeedback(
  factories: Pick<Factories, "list">,
  deps: FeedbackDeps,
  stopping: AbortController,
): Feedback {
  const opened = factories.list().flatMap((factory): { uid: () => string; desk: FactoryFeedback }[] => {
    const { forge } = factory;
    if (!forge) return [];
    const desk = openFactoryFeedback(factory, forge, stopping.signal, deps);
    // A factory that takes another over goes on under that one's uid.
    return [{ uid: () => factory.record.uid, desk }];
  });
  const find = (factoryUid: string) => opened.find(({ uid }) => uid() === factoryUid)?.desk;
  return {
    ask: async (factoryUid, subject) => find(factoryUid)?.ask(subject),
    passed: (factoryUid) => find(factoryUid)?.passed(),
    noticesOf: (factoryUid) => find(factoryUid)?.notices() ?? [],
    look() {
      for (const { desk } of opened) desk.look();
    },
    waiting: () => opened.reduce((sum, { desk }) => sum + desk.waiting, 0),
    async stop() {
      stopping.abort();
      await Promise.all(opened.map(({ desk }) => desk.ended()));
    },
  };
}
