import { pathOf } from "../edge/masked-path.ts";
import { isUid } from "../id.ts";

/** Every path below this prefix is ingress and nothing else. */
export const INGRESS_PREFIX = "/webhooks/w/";

/** Whether a request is the ingress's to answer, whatever the answer is. */
export function isIngress(url: string | undefined): boolean {
  return url !== undefined && pathOf(url).startsWith(INGRESS_PREFIX);
}

const ADDRESS = /^\/webhooks\/w\/([^/]+)(?:\/([^/]+))?$/;

/** The uid of the webhook that a request is addressed to, with the token of its URL; nothing where none can be. */
export function addressOf(url: string): { uid: string; urlToken: string | undefined } | undefined {
  const [, uid, segment] = ADDRESS.exec(pathOf(url)) ?? [];
  if (uid === undefined || !isUid(uid)) return undefined;
  return { uid, urlToken: segment === undefined ? undefined : decoded(segment) };
}

/** An escaped unreserved character is the same character (RFC 3986, 6.2.2.2); what does not decode stays as it is. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
