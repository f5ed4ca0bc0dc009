import { isUid } from "../id.ts";

/**
 * The path of a request without what may be a credential in it: for logs, error documents and traces. Senders mistype
 * the URL of a `url_token` webhook in every way, so a path is shown only as far as it is known to hold no token: the
 * paths of the API and the dashboard, the words of the ingress, and one uid where a uid belongs.
 */
export function maskedPath(url: string): string {
  const path = pathOf(url);
  if (OWN.test(path) && !LIKE_INGRESS.test(path)) return path;
  let shown = "";
  let hasUid = false;
  for (const [, separator = "", segment = ""] of path.matchAll(SEGMENTS)) {
    const isTheUid: boolean = !hasUid && isUid(segment) && /w(?:\/|%2f)*$/i.test(shown);
    if (!isTheUid && !WORDS.has(segment.toLowerCase())) return `${shown}${separator}{token}`;
    hasUid ||= isTheUid;
    shown += separator + segment;
  }
  return shown;
}

/** A segment with what separates it from the one before; a proxy may have escaped a slash. */
const SEGMENTS = /(\/|%2f|^)((?:(?!%2f)[^/])*)/gi;
const WORDS: ReadonlySet<string> = new Set(["", "webhooks", "webhook", "w"]);

/** What the server has beside the ingress. */
const OWN =
  /^\/(?:$|(?:healthz|readyz|metrics|session|errors|assets|hooks\/git|factories|runs|agents|environments|schedules|secrets|keys|audit-log|settings|\.well-known|api\/v1\/[a-z-]+)(?:\.json)?(?:\/|$))/;

/** An address of the ingress behind some prefix, or with a part of its own path left out. */
const LIKE_INGRESS = /(?:\/|%2f)w(?:\/|%2f)|^\/api\/v1\/webhook|webhooks?%2f/i;

/** The path of a request target, which may be a whole URL (RFC 9112, 3.2.2). */
export function pathOf(target: string): string {
  const path = target.startsWith("/") ? target : target.replace(/^https?:\/\/[^/?]*/i, "");
  return path.split("?", 1)[0] ?? "";
}
