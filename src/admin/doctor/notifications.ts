// Own file: each examination of the doctor is one, and this one has tests by itself.
import { isIP } from "node:net";
import type { Config, ExternalPlace } from "../../config/config.ts";
import { smtpTlsOf } from "../../config/notification-settings.ts";
import { addressRules } from "../../outbound/address-rules.ts";
import { nameOfPlace, readOutside } from "../../secrets/outside.ts";
import { type DoctorFinding, ok, problem, warning } from "./finding.ts";

type Settings = Pick<Config, "notifications" | "outbound" | "smtp" | "outboundAllow">;

const SAME_ENVIRONMENT =
  "Set the value there. Run `millrace doctor` with the same environment as the server.";

/** Looks at the targets of notifications, and the outbound webhooks, that the settings name; nothing is sent. */
export async function examineNotifications(
  { notifications, outbound, smtp, outboundAllow }: Settings,
  env: Record<string, string | undefined>,
): Promise<DoctorFinding[]> {
  const isPermitted = addressRules(outboundAllow);
  const named = [
    ...notifications.map((target) => ({ ...target, check: `notifications ${target.name}` })),
    ...outbound.map((target) => ({ ...target, check: `outbound ${target.name}` })),
  ];
  const ofTargets = await Promise.all(
    named.map(async ({ check, url, secret }) => {
      const missing = secret && (await findMissing(check, secret, env));
      if (missing) return missing;
      const host = url === undefined ? "" : new URL(url).hostname.replace(/^\[|\]$/g, "");
      if (isIP(host) === 0 || isPermitted(host)) return ok(check, "the target is configured");
      return problem(
        check,
        `${host} is not a public address, so nothing is sent there.`,
        "Add the address to MILLRACE_OUTBOUND_ALLOW, or change the URL.",
      );
    }),
  );
  if (!smtp) return ofTargets;
  const missing = smtp.password && (await findMissing("smtp", smtp.password, env));
  const isClear = smtpTlsOf(smtp) === "none" && smtp.password !== undefined;
  const clear = warning(
    "smtp",
    "The password is sent to the mail server without encryption.",
    "Set tls: starttls or tls: implicit, unless the network is trusted.",
  );
  return [...ofTargets, missing ?? (isClear ? clear : ok("smtp", "the mail server is configured"))];
}

async function findMissing(
  check: string,
  place: ExternalPlace,
  env: Record<string, string | undefined>,
): Promise<DoctorFinding | undefined> {
  if ((await readOutside(place, env)) !== undefined) return undefined;
  return problem(check, `${nameOfPlace(place)} is missing or empty, so nothing is sent.`, SAME_ENVIRONMENT);
}
