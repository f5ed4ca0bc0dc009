import { isThisServer } from "../definitions/worker-host.ts";
import { MillraceError } from "../error.ts";

// biome-ignore lint/suspicious/noExplicitAny: the description of the API has checked what is in it
type Body = Record<string, any>;

type Unsupported = readonly [field: string, isAsked: (body: Body) => boolean, instead: string];

/**
 * Keys of the public API that would change what runs, and that this server cannot do. A value that asks for nothing, or
 * for what happens anyway, is taken.
 */
const UNSUPPORTED: readonly Unsupported[] = [
  ["mode", ({ mode }) => (mode ?? "normal") !== "normal", "Leave it out: a run has one mode, normal."],
  ["team", ({ team }) => team === false, "Leave it out: every run belongs to the team."],
  ["on_behalf_of", ({ on_behalf_of }) => !!on_behalf_of, "Use a key of the person."],
  [
    "interactive",
    ({ interactive }) => interactive === true,
    "Leave it out, and steer the run by follow-ups.",
  ],
  ...inConfig(
    "worker_host",
    (value) => !isThisServer(value as string | undefined),
    "Leave it out, or say local: runs execute on this server.",
  ),
  ...inConfig(
    "session_sharing",
    isFilled,
    "Leave it out: whoever has the link of a run sees its title and its state, and nothing more.",
  ),
  ...inConfig("memory_stores", isFilled, "Leave it out: there are no memory stores."),
  ...inConfig("inference_providers", isFilled, "Configure the provider in the harness."),
  ...inConfig(
    "credential_strategy",
    (value) => value === "CREATOR",
    "Leave it out: agents use their own credentials.",
  ),
  ...inConfig("experimental", isFilled, "Leave it out."),
];

function inConfig(key: string, isAsked: (value: unknown) => boolean, instead: string): Unsupported[] {
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
    `This server cannot do what the request asks for: ${errors.map(({ field }) => field).join(", ")}.`,
    {
      remedy: asked.map(([field, , instead]) => `${field}: ${instead}`).join(" "),
      extra: { field: first[0], errors },
    },
  );
}
