import type { Automation, EventProviderName } from "./definition.ts";
import { EVENT_PROVIDERS } from "./events/event-provider.ts";
import { FACTORY } from "./events/factory-events.ts";
import { compileFullTitle, compileTitle, type TitleOf } from "./title-template.ts";

/**
 * How the runs of an automation are called: by its own template, or else after what the provider's event is about. What is
 * empty then goes by the name of the automation.
 * @param provider of the event; nothing where no provider has signed the payload, or there is none
 */
export function automationTitle(
  { name, title }: Pick<Automation, "name" | "title">,
  provider?: EventProviderName | "factory",
): TitleOf {
  const written = title === undefined ? [] : [compileTitle(title)];
  const defaults = provider === undefined ? [] : DEFAULT_TITLES[provider];
  const candidates = [...written, ...defaults];
  return (payload) => {
    for (const candidate of candidates) {
      const found = candidate(payload);
      if (found !== "") return found;
    }
    return name;
  };
}

const DEFAULT_TITLES = Object.fromEntries(
  Object.entries({ ...EVENT_PROVIDERS, factory: FACTORY }).map(([provider, { titles }]) => [
    provider,
    titles.map(compileFullTitle),
  ]),
) as Record<EventProviderName | "factory", TitleOf[]>;
