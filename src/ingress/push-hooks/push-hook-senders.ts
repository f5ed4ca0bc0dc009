import { at } from "../../definitions/filters/payload-field.ts";
import type { Scheme } from "../../definitions/schemes/scheme.ts";
import { HMAC_OF_BODY, SCHEMES } from "../../definitions/schemes/schemes.ts";

/** How one kind of forge, or a script, tells of a push. */
export interface PushHookSender {
  /** Headers with the proof, in lower case: the first of the list of which one is there is the sender. */
  signs: readonly string[];
  scheme: Scheme;
  /** The header that names what has happened, and the values of it that are pushes. */
  event?: { header: string; pushes: readonly string[] };
  /** The names of the branches that were pushed, where the body tells them. */
  refs(payload: unknown): (string | undefined)[];
  /** `owner/name` of what was pushed to, where the body tells it. */
  repository?(payload: unknown): string | undefined;
  /** Whether its pull requests can be checked. */
  hasChecks?: true;
}

const signedIn = (header: string, prefix: string): Pick<PushHookSender, "signs" | "scheme"> => {
  return { signs: [header], scheme: { methods: [{ ...HMAC_OF_BODY, headers: [header], prefix }] } };
};

const ref = (payload: unknown) => [textAt(payload, ["ref"])];
const fullName = (payload: unknown) => textAt(payload, ["repository", "full_name"]);

/**
 * Every sender whose pushes are understood. All of them prove that they know the one secret of the factory, and a push only
 * has the source looked at, so that none of them is a weaker way in than another.
 */
export const PUSH_HOOK_SENDERS: readonly PushHookSender[] = [
  // For a script: any JSON, or none; `ref` says which branch.
  { ...signedIn("x-millrace-signature", "sha256="), refs: ref },
  // https://docs.gitea.com/usage/webhooks. It signs as GitHub does too, and names its events in a header of its own.
  {
    ...signedIn("x-gitea-signature", ""),
    event: { header: "x-gitea-event", pushes: ["push"] },
    refs: ref,
    repository: fullName,
  },
  // https://forgejo.org/docs/latest/user/webhooks/
  {
    ...signedIn("x-forgejo-signature", ""),
    event: { header: "x-forgejo-event", pushes: ["push"] },
    refs: ref,
    repository: fullName,
  },
  // https://docs.github.com/en/webhooks/webhook-events-and-payloads#push
  {
    signs: ["x-hub-signature-256"],
    scheme: SCHEMES.github ?? { methods: [] },
    event: { header: "x-github-event", pushes: ["push"] },
    refs: ref,
    repository: fullName,
    hasChecks: true,
  },
  // https://docs.gitlab.com/user/project/integrations/webhook_events/#push-events
  {
    signs: ["webhook-signature", "x-gitlab-token"],
    scheme: SCHEMES.gitlab ?? { methods: [] },
    event: { header: "x-gitlab-event", pushes: ["Push Hook", "System Hook"] },
    refs: ref,
    repository: (payload) => textAt(payload, ["project", "path_with_namespace"]),
  },
  // https://support.atlassian.com/bitbucket-cloud/docs/event-payloads/#Push, and for Data Center
  // https://confluence.atlassian.com/bitbucketserver/event-payload-938025882.html
  {
    ...signedIn("x-hub-signature", "sha256="),
    event: { header: "x-event-key", pushes: ["repo:push", "repo:refs_changed"] },
    refs: bitbucketRefs,
    repository: bitbucketRepository,
  },
];

function bitbucketRefs(payload: unknown): (string | undefined)[] {
  const changes = at(payload, "push", "changes") ?? at(payload, "changes");
  if (!Array.isArray(changes)) return [];
  return changes.map((change) => {
    const name = textAt(change, ["new", "name"]);
    if (name !== undefined && textAt(change, ["new", "type"]) === "branch") return `refs/heads/${name}`;
    return textAt(change, ["ref", "id"]) ?? name;
  });
}

/** Data Center has no full name, and builds its URLs from the key of the project and the slug. */
function bitbucketRepository(payload: unknown): string | undefined {
  const key = textAt(payload, ["repository", "project", "key"]);
  const slug = textAt(payload, ["repository", "slug"]);
  return fullName(payload) ?? (key && slug ? `${key}/${slug}` : undefined);
}

function textAt(value: unknown, path: readonly string[]): string | undefined {
  const found = at(value, ...path);
  return typeof found === "string" ? found : undefined;
}
