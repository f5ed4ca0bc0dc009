import type { ExternalPlace, FileSettings } from "./config.ts";

/** What notifications tell of. */
export const NOTIFICATION_EVENTS = [
  "run.blocked",
  "run.failed",
  "factory.failed",
  "webhook.refusing",
  "budget.reached",
  "provider.limit",
] as const;
export type NotificationEvent = (typeof NOTIFICATION_EVENTS)[number];

/** One place that millrace.yaml has notifications sent to. */
export interface NotificationSetting {
  name: string;
  kind: "webhook" | "slack" | "email";
  url?: string;
  /** Addresses of mail. */
  to?: string | string[];
  /** What a webhook is signed with; of Slack without a URL, the URL. Read at every use. */
  secret?: ExternalPlace;
  events: NotificationEvent[];
  /** Names or uids of the factories whose events are sent; without it, those of all and of the runs of none. */
  factories?: string[];
}

/** The server that mail is handed to. */
export interface SmtpSetting {
  host: string;
  port?: number;
  user?: string;
  password?: ExternalPlace;
  /** The sender's address. */
  from: string;
  tls?: boolean | SmtpTls;
}

/** `implicit` from the first byte on, `starttls` before anything is said, `none` in clear. */
export type SmtpTls = "implicit" | "starttls" | "none";

/** The port of mail that is encrypted from the first byte on (RFC 8314). */
const IMPLICIT_TLS_PORT = 465;
const SUBMISSION_PORT = 587;

/** How the connection to a mail server is protected. */
export function smtpTlsOf({ tls, port }: Pick<SmtpSetting, "tls" | "port">): SmtpTls {
  if (tls === undefined) return port === IMPLICIT_TLS_PORT ? "implicit" : "starttls";
  if (typeof tls === "string") return tls;
  return tls ? "implicit" : "none";
}

export function smtpPortOf(smtp: Pick<SmtpSetting, "tls" | "port">): number {
  return smtp.port ?? (smtpTlsOf(smtp) === "implicit" ? IMPLICIT_TLS_PORT : SUBMISSION_PORT);
}

/** What contradicts itself in `notifications:` and `smtp:`, beyond what the schema sees. */
export function notificationProblems({
  notifications = [],
  smtp,
}: Pick<FileSettings, "notifications" | "smtp">): string[] {
  const names = notifications.map(({ name }) => name);
  const repeated = [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
  const mail = notifications.filter(({ kind }) => kind === "email").map(({ name }) => name);
  return [
    ...repeated.map((name) => `notifications: two have the name "${name}"; give each its own`),
    ...(smtp === undefined ? mail : []).map(
      (name) => `notifications: "${name}" sends mail, but smtp: is not set; add smtp: with host and from`,
    ),
    ...(smtp?.user !== undefined && smtp.password === undefined
      ? ["smtp: user is set without password; add password: {env: NAME} or {file: PATH}"]
      : []),
  ];
}
