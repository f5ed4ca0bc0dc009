import type { Automation, EventProviderName } from "./definition.ts";
import { EVENT_PROVIDERS } from "./events/event-provider.ts";
import { FACTORY } from "./events/factory-events.ts";
import { fieldText, isFull, parseTemplate, type TemplatePart, visibleLine } from "./field-template.ts";

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

/** The longest title, in characters. */
export const MAX_TITLE = 200;

/** Makes a title from a payload, in which any field may be missing. */
export type TitleOf = (payload: unknown) => string;

/** Longer values are cut before anything else is done with them: a delivery may hold megabytes. */
const MAX_VALUE = 2_000;

/** Where a template is wrong, in words; nothing for one that is right. */
export function titleProblem(template: string): string | undefined {
  const parsed = parseTemplate(template);
  return "problem" in parsed ? parsed.problem : undefined;
}

/**
 * Makes titles by a template that {@link titleProblem} has found nothing wrong with. Fields are looked up and nothing is
 * evaluated; one that the payload lacks, or that is no text, number or boolean, is left out.
 */
export function compileTitle(template: string): TitleOf {
  const parsed = parseTemplate(template);
  if ("problem" in parsed) return () => "";
  return (payload) => titleText(valuesOf(parsed.parts, payload));
}

/** The same, but empty unless the payload has every field that the template names. */
function compileFullTitle(template: string): TitleOf {
  const parsed = parseTemplate(template);
  if ("problem" in parsed) return () => "";
  return (payload) => {
    const values = valuesOf(parsed.parts, payload);
    return isFull(parsed.parts, values) ? titleText(values) : "";
  };
}

function valuesOf(parts: readonly TemplatePart[], payload: unknown): string[] {
  return parts.map((part) =>
    typeof part === "string" ? part : fieldText(payload, part).slice(0, MAX_VALUE),
  );
}

function titleText(parts: readonly string[]): string {
  const characters = [...visibleLine(parts.join(""))];
  return characters.length > MAX_TITLE
    ? `${characters.slice(0, MAX_TITLE - 1).join("")}…`
    : characters.join("");
}
