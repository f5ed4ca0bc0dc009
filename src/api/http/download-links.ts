import { createHmac, timingSafeEqual } from "node:crypto";
import type { Sealer } from "../../secrets/seal.ts";
import { API_PREFIX } from "../document.ts";

/** How long a link is good for: long enough to follow it at once, and short for what anybody may follow. */
const LIFETIME_MS = 15 * 60_000;

/** Links to the files of artifacts that work without a key, for a while: clients of the public API follow them as they are. */
export interface DownloadLinks {
  linkTo(artifactUid: string): { download_url: string; expires_at: string };
  /** Whether a link was made by this server and has not expired. */
  isGood(artifactUid: string, link: { expires: number; signature: string }): boolean;
}

export function createDownloadLinks(
  sealer: Pick<Sealer, "authenticate">,
  { publicUrl, now }: { publicUrl: () => string; now: () => Date },
): DownloadLinks {
  const signatureOf = (uid: string, expires: number) => sealer.authenticate(`download:${uid}:${expires}`);
  return {
    linkTo(uid) {
      // Whole seconds, as the link has them.
      const expires = Math.ceil((now().getTime() + LIFETIME_MS) / 1_000);
      const query = new URLSearchParams({ expires: String(expires), signature: signatureOf(uid, expires) });
      return {
        download_url: `${publicUrl()}${API_PREFIX}/agent/artifacts/${uid}/file?${query}`,
        expires_at: new Date(expires * 1_000).toISOString(),
      };
    },
    isGood(uid, { expires, signature }) {
      return isSame(signature, signatureOf(uid, expires)) && now().getTime() < expires * 1_000;
    },
  };
}

/** Compares digests of the texts, which are of one length whatever the texts are. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHmac("sha256", "compare").update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
