import { useQueries, useQuery } from "@tanstack/react-query";
import { foundDeliveriesQuery, foundRunsQuery } from "../api/found-queries.ts";
import {
  agentsQuery,
  automationsQuery,
  factoriesQuery,
  webhookActivityQuery,
  whoamiQuery,
} from "../api/queries.ts";
import { factoryPath } from "../parts/factory-path.ts";
import { useSettled } from "../parts/filters/use-settled.ts";
import { pageActions } from "../parts/page-actions.ts";
import { RUN_WORDS } from "../parts/tones.ts";
import { type Choice, matching, timesOfIds } from "./matching.ts";
import { type Entry, entriesFor, type PageLink } from "./page-links.ts";
import { recentChoices } from "./recent-choices.ts";
import { useFactory } from "./use-factory.ts";

/** The automations of more factories are not loaded at once. */
const MAX_FACTORIES = 20;
/** Of what is shorter, too much would be found. */
const MIN_SEARCHED = 3;

/** What fits a text: of what is loaded at once, and of what the server finds when the typing rests. */
export function useChoices(text: string): { choices: Choice[]; isSearching: boolean } {
  const known = useKnownChoices();
  const { found, isSearching } = useFoundChoices(text.trim());
  const { data: who } = useQuery(whoamiQuery);
  if (text.trim() === "") {
    const first = known.filter(({ group }) => group === "Actions" || group === "Pages");
    return { choices: [...recentChoices(who?.key_id ?? ""), ...first], isSearching: false };
  }
  return { choices: [...matching(known, text), ...found], isSearching };
}

function useKnownChoices(): Choice[] {
  const { factory } = useFactory();
  const { data: who } = useQuery(whoamiQuery);
  const { data: factories = [] } = useQuery(factoriesQuery);
  const { data: webhooks = [] } = useQuery(webhookActivityQuery(undefined));
  const { data: agents = [] } = useQuery(agentsQuery);
  const automations = useQueries({
    queries: factories.slice(0, MAX_FACTORIES).map(({ name }) => automationsQuery(name)),
  }).flatMap(({ data }, place) =>
    (data ?? []).map(({ name }) => ({ name, factory: factories[place]?.name ?? "" })),
  );
  const factoryOf = (uid: string | undefined) => factories.find((each) => each.uid === uid)?.name;
  return [
    ...pageActions().map(({ name, run }) => ({ id: `action ${name}`, group: "Actions", name, run })),
    ...pagesOf(entriesFor(who, factory)).map(({ name, href }) => ({
      id: href,
      group: "Pages",
      name,
      href,
      ...(href.startsWith("/factories/") && factory ? { note: factory.name } : {}),
    })),
    ...factories.map(({ name }) => item("Factories", name, factoryPath(name, "webhooks"))),
    ...webhooks.map(({ name, uid, factory: of }) =>
      item("Webhooks", name, factoryPath(of, "webhooks", uid), of),
    ),
    ...automations.map(({ name, factory: of }) =>
      item("Automations", name, factoryPath(of, "automations", name), of),
    ),
    ...agents.map(({ uid, name, factory_uid }) => {
      const of = factoryOf(factory_uid);
      const href = of === undefined ? "/agents" : factoryPath(of, "files", "agents", name, "agent.md");
      return { ...item("Agents", name, href, of), id: `agent ${uid}` };
    }),
  ];
}

/** An entry with rooms leads to the first of them, which has a name of its own. */
function pagesOf(entries: readonly Entry[]): PageLink[] {
  return entries.flatMap((entry) => (entry.rooms.length > 0 ? entry.rooms : [entry]));
}

function item(group: string, name: string, href: string, note?: string): Choice {
  return { id: href, group, name, href, ...(note === undefined ? {} : { note }) };
}

/** Runs by words or the beginning of their id, and deliveries by the beginning of theirs. */
function useFoundChoices(text: string): { found: Choice[]; isSearching: boolean } {
  const settled = useSettled(text);
  const times = timesOfIds(settled);
  const isAsked = settled.length >= MIN_SEARCHED;
  const runs = useQuery({ ...foundRunsQuery(settled, times), enabled: isAsked });
  const deliveries = useQuery({
    ...foundDeliveriesQuery(settled, times ?? { since: "", until: "" }),
    enabled: times !== undefined,
  });
  const found = [
    ...(isAsked && settled === text ? (runs.data ?? []) : []).map(({ run_id, title, state }) => ({
      id: run_id,
      group: "Runs",
      name: title || run_id,
      note: `${RUN_WORDS[state]} ${run_id}`,
      href: `/runs/${run_id}`,
    })),
    ...(times && settled === text ? (deliveries.data ?? []) : []).map(
      ({ delivery_id, factory, webhook_uid, outcome }) => ({
        id: delivery_id,
        group: "Deliveries",
        name: delivery_id,
        note: outcome,
        href: `${factoryPath(factory, "webhooks", webhook_uid)}?delivery=${delivery_id}`,
      }),
    ),
  ];
  const isWaiting = text.length >= MIN_SEARCHED && settled !== text;
  return { found, isSearching: isWaiting || runs.isFetching || deliveries.isFetching };
}
