import { type CheckSubject, pullRequestOf } from "../forge/repository-forge.ts";
import { fieldOf } from "../ingress/arrival.ts";

/** Events of GitHub that may ask for a check: https://docs.github.com/en/webhooks/webhook-events-and-payloads */
export const CHECK_EVENTS = ["pull_request", "check_run", "check_suite"] as const;
export type CheckEvent = (typeof CHECK_EVENTS)[number];

/** The factory that hears of an event. */
export interface CheckedFactory {
  /** The production branch. */
  branch: string;
  checkName: string;
}

/** What is to be checked, or why nothing is. */
export type AskedCheck = { subject: CheckSubject } | { ignored: string };

/**
 * What an event asks for. Pure. Only numbers and hashes are taken from it: the forge is asked for the rest.
 * @param payload of a hook that has proved itself, about the factory's own repository
 */
export function checkAskedBy(event: CheckEvent, payload: unknown, factory: CheckedFactory): AskedCheck {
  return ASKED[event](payload, factory);
}

const ASKED: Record<CheckEvent, (payload: unknown, factory: CheckedFactory) => AskedCheck> = {
  pull_request(payload, { branch }) {
    const action = fieldOf(payload, ["action"]);
    const base = fieldOf(payload, ["pull_request", "base", "ref"]);
    const number = fieldOf(payload, ["pull_request", "number"]);
    if (base !== branch) return { ignored: `the pull request is not for ${branch}` };
    if (!isNews(action, payload)) return { ignored: `nothing new to check: ${action}` };
    return typeof number === "number" ? { subject: { pullRequest: number } } : UNREADABLE;
  },
  check_run(payload, { checkName }) {
    if (fieldOf(payload, ["action"]) !== "rerequested") return NOT_ASKED;
    const number = pullRequestOf(fieldOf(payload, ["check_run", "external_id"]));
    const isOwn = fieldOf(payload, ["check_run", "name"]) === checkName && number !== undefined;
    return isOwn
      ? { subject: { pullRequest: number } }
      : { ignored: "the check does not belong to this factory" };
  },
  check_suite(payload) {
    if (fieldOf(payload, ["action"]) !== "rerequested") return NOT_ASKED;
    const head = fieldOf(payload, ["check_suite", "head_sha"]);
    return typeof head === "string" && /^[0-9a-f]{40,64}$/.test(head) ? { subject: { head } } : UNREADABLE;
  },
};

const NOT_ASKED: AskedCheck = { ignored: "no re-run of a check was requested" };
const UNREADABLE: AskedCheck = { ignored: "the event does not specify a pull request or commit to check" };

/** Another base is another merge; what else is edited changes no file. */
function isNews(action: unknown, payload: unknown): boolean {
  if (action === "edited") return fieldOf(payload, ["changes", "base"]) !== undefined;
  return action === "opened" || action === "synchronize" || action === "reopened";
}
