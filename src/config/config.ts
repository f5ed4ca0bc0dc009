import type { NetworkRule } from "../network/network-rule.ts";
import type { HarnessSetting } from "./harness-setting.ts";
import type { NotificationSetting, SmtpSetting } from "./notification-settings.ts";
import type { OutboundSetting } from "./outbound-events.ts";
import type { settings } from "./settings.ts";

/** One value per setting of the table; `undefined` where nothing was written and there is no default. */
export type ScalarSettings = {
  readonly [Name in keyof typeof settings]: ReturnType<(typeof settings)[Name]["parse"]> | Missing<Name>;
};
type Missing<Name extends keyof typeof settings> = (typeof settings)[Name] extends { fallback: string }
  ? never
  : undefined;

/** Where a value is kept outside of millrace: an environment variable of the server, or a file (a mounted secret). */
export type ExternalPlace = { env: string } | { file: string };

/** Which factories may use something, by names or uids: the only one when nothing is said. */
export interface ScopedSetting {
  factories?: string[];
  shared?: true;
}

/** A secret that is kept outside, and which factories may use it. */
export type ExternalSecret = ExternalPlace & ScopedSetting;

/** How a private repository is opened. Each part is read at every fetch, so that rotation needs no restart. */
export interface GitCredentials {
  token?: ExternalPlace | { secret: string };
  sshKeyFile?: string;
  knownHostsFile?: string;
}

/** A factory of millrace.yaml whose definition millrace keeps itself. */
export interface ManagedSetting {
  managed: string;
}

/** One factory as millrace.yaml lists it. What is not given comes from the settings of the same name. */
export interface FactorySetting {
  source: string;
  branch?: string;
  path?: string;
  /** A duration, as written. */
  poll?: string;
  credentials?: GitCredentials;
  /** What its forge signs push hooks with; read at every push. */
  hookSecret?: ExternalPlace | { secret: string };
  github?: GithubSetting;
  /** The factory that millrace has kept so far, by name or uid, with which this source goes on. */
  goesOnWith?: string;
}

/** Where on GitHub a factory's pull requests are, and what may say there how they stand. */
export interface GithubSetting {
  /** `owner/name` */
  repository: string;
  /** The base of its API; that of github.com without it. */
  api?: string;
  token?: ExternalPlace | { secret: string };
  app?: { id: string | number; privateKey: ExternalPlace | { secret: string }; installation?: number };
  /** What checks and statuses are called. */
  check?: string;
}

/** A host of repositories for some factories, and the owners whose repositories are there when those of others are elsewhere. */
export interface ForgeSetting extends ScopedSetting {
  baseUrl: string;
  token?: ExternalPlace | { secret: string };
  /** The base of the forge's API, which the app asks. */
  api?: string;
  /** What makes tokens for runs that may push. */
  app?: { id: string | number; privateKey: ExternalPlace | { secret: string }; installation?: number };
  owners?: string[];
}

/** What millrace.yaml can say beyond the scalar settings; `schemas/millrace.schema.json` has checked its shape. */
export interface FileSettings {
  factories?: (FactorySetting | ManagedSetting)[];
  harnesses?: Record<string, HarnessSetting>;
  forges?: Record<string, ForgeSetting>;
  secrets?: Record<string, ExternalSecret>;
  /** The factories whose agents may have the model key that is in the environment of the server. */
  workerEnvironment?: ScopedSetting;
  retention?: Partial<Record<"deliveries" | "runs" | "transcripts" | "workspaces" | "usage", string>>;
  notifications?: NotificationSetting[];
  outbound?: OutboundSetting[];
  smtp?: SmtpSetting;
  network?: NetworkRule;
  /** By model, as programs and providers name it. */
  prices?: Record<string, PriceSetting>;
  /** Of factories, by name. */
  shares?: Record<string, Share>;
}

/** Every setting, read once, checked, with defaults filled in. */
export interface Config extends ScalarSettings {
  readonly factories: readonly (FactorySetting | ManagedSetting)[];
  readonly harnesses: Readonly<Record<string, HarnessSetting>>;
  readonly forges: NonNullable<FileSettings["forges"]>;
  readonly secrets: Readonly<Record<string, ExternalSecret>>;
  readonly workerEnvironment: ScopedSetting;
  readonly retention: NonNullable<FileSettings["retention"]>;
  readonly notifications: readonly NotificationSetting[];
  readonly outbound: readonly OutboundSetting[];
  readonly smtp: SmtpSetting | undefined;
  /** What runs may reach, unless a definition says otherwise. */
  readonly network: NetworkRule | undefined;
  readonly prices: Readonly<Record<string, PriceSetting>>;
  readonly shares: Readonly<Record<string, Share>>;
}

/** What a factory gets of what executes runs. */
export interface Share {
  /** How many turns it has while a factory of weight 1 has one; 1 where it is left out. */
  weight?: number;
  /** How many of its runs may be in progress, on the server and all workers. */
  maxRuns?: number;
}

/** What a model costs by `prices:` of millrace.yaml, in US dollars per million tokens. */
export interface PriceSetting {
  input: number;
  output: number;
  /** Of input that was read from a cache; as much as other input without it. */
  cached?: number;
}
