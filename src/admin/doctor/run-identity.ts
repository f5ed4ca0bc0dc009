import type { Config } from "../../config/config.ts";
import { SIGNS_FOR_MS, signingAt } from "../../oidc/rotation.ts";
import type { SigningKeyStore } from "../../oidc/signing-key.ts";
import { DAY_MS } from "../../time/duration.ts";
import { type DoctorFinding, ok, warning } from "./finding.ts";

/** A server that was stopped when it was time has this long to make the next key, and that one to be read. */
const LATE_MS = 7 * DAY_MS;

/** Whether services can check the tokens with which runs say who they are; nothing where there have been none. */
export async function examineRunIdentity(
  { publicUrl }: Pick<Config, "publicUrl">,
  keys: Pick<SigningKeyStore, "list">,
  now: Date,
): Promise<DoctorFinding[]> {
  const signing = signingAt(await keys.list(), now);
  if (!signing) return [];
  if (publicUrl === undefined)
    return [
      warning(
        "run identity",
        "Runs have got identity tokens, and get none now: the public URL is not set.",
        "Set MILLRACE_PUBLIC_URL to the URL that services trust as the issuer.",
      ),
    ];
  const until = new Date(Date.parse(signing.signsFrom) + SIGNS_FOR_MS);
  if (now.getTime() > until.getTime() + LATE_MS)
    return [
      warning(
        "run identity",
        `The key that signs identity tokens should have been replaced on ${until.toISOString()}.`,
        "Start the server, which replaces it, or run `millrace keys replace-identity`.",
      ),
    ];
  return [
    ok("run identity", `${publicUrl} issues identity tokens, with one key until ${until.toISOString()}`),
  ];
}
