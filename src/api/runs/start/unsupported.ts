import { MillraceError } from "../../../errors/error.ts";
import type { BodyOf } from "../../http/endpoint.ts";

type RunBody = BodyOf<"createRun">;
type Config = NonNullable<RunBody["config"]>;

/** What a request says of runs, as far as it could ask for what this server cannot do. */
type Body = {
  [Name in "mode" | "team" | "on_behalf_of" | "interactive" | "config"]?: RunBody[Name] | undefined;
};

type Unsupported = readonly [field: string, isAsked: (body: Body) => boolean, instead: string];

/**
 * Keys of the public API that would change what runs, and that this server cannot do. A value that asks for nothing, or
 * for what happens anyway, is taken.
 */
const UNSUPPORTED: readonly Unsupported[] = [
  [
    "mode",
    ({ mode }) => (mode ?? "normal") !== "normal",
    "Omit it: only a run that is created with an API key can have another mode.",
  ],
  ["team", ({ team }) => team === false, "Omit it: every run belongs to the team."],
  ["on_behalf_of", ({ on_behalf_of }) => !!on_behalf_of, "Use that person's API key."],
  ["interactive", ({ interactive }) => interactive === true, "Omit it, and steer the run with follow-ups."],
  ...inConfig(
    "session_sharing",
    isFilled,
    "Omit it: anyone who has the link of a run sees only its title and state.",
  ),
  ...inConfig("memory_stores", isFilled, "Omit it: memory stores are not supported."),
  ...inConfig("inference_providers", isFilled, "Configure the provider in the harness."),
  ...inConfig(
    "credential_strategy",
    (value) => value === "CREATOR",
    "Omit it: agents use their own credentials.",
  ),
  ...inConfig("experimental", isFilled, "Omit it."),
];

function inConfig<Key extends keyof Config>(
  key: Key,
  isAsked: (value: Config[Key] | undefined) => boolean,
  instead: string,
): Unsupported[] {
  return [[`config.${key}`, ({ config }) => isAsked(config?.[key]), instead]];
}

function isFilled(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}

/** An empty place is the request itself. */
function placed(field: string, place: string): string {
  return field.replace(/^config\./, place === "" ? "" : `${place}.`);
}

/**
 * @param place what the configuration is called in the request, when that is not `config`
 * @throws MillraceError `operation_not_supported` that names every such key of a request
 */
export function refuseUnsupported(body: Body, place = "config"): void {
  const asked = UNSUPPORTED.filter(([, isAsked]) => isAsked(body)).map(
    ([field, isAsked, instead]): Unsupported => [placed(field, place), isAsked, instead],
  );
  const [first] = asked;
  if (!first) return;
  const errors = asked.map(([field]) => ({ field, message: `"${field}" is not supported here` }));
  throw new MillraceError(
    "operation_not_supported",
    `This server does not support these settings of the request: ${errors.map(({ field }) => field).join(", ")}.`,
    {
      remedy: asked.map(([field, , instead]) => `${field}: ${instead}`).join(" "),
      extra: { field: first[0], errors },
    },
  );
}
