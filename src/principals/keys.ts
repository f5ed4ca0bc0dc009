import { createHash } from "node:crypto";
import { MillraceError } from "../errors/error.ts";
import { newUid, randomText } from "../id.ts";
import {
  type ApiKey,
  type KeyKind,
  type KeyStore,
  type NewApiKey,
  type Role,
  roleAllows,
} from "./principal.ts";

const KEY_PREFIX = "mr_";
/** 40 letters and digits hold 238 bits. */
const RANDOM_LENGTH = 40;
const SHOWN_PREFIX_LENGTH = 8;
/** How exact "last used" is; each use would otherwise be a write. */
const USE_RECORDED_EVERY_MS = 60_000;

export interface KeyRequest {
  name: string;
  kind: KeyKind;
  role: Role;
  factories: string[] | null;
  expiresAt?: string;
}

const FIRST_ADMIN: KeyRequest = { name: "admin", kind: "personal", role: "admin", factories: null };

/** API keys: made, recognised and revoked. */
export interface Keys {
  /** @returns the key with its value, which is not kept and cannot be shown again */
  create(request: KeyRequest): Promise<{ key: ApiKey; value: string }>;
  /** The active key with this value, or nothing. */
  recognise(value: string): Promise<ApiKey | undefined>;
  /** The key with this id, unless it is revoked or has expired. */
  findActive(id: string): Promise<ApiKey | undefined>;
  list(): Promise<ApiKey[]>;
  /** @throws MillraceError `resource_not_found`, or `conflict` for the last admin key that reaches every factory */
  revoke(id: string): Promise<void>;
  /** Whether MILLRACE_ADMIN_KEY is this key. */
  isOfSettings(id: string): boolean;
  /**
   * Puts the admin key of the settings into force, and takes those out of force that the settings no longer have. No
   * request may be answered before: a replaced key would still be accepted.
   * @returns why the key of the settings cannot be used as one, as a sentence
   */
  applySettingsKey(value: string | undefined): Promise<string | undefined>;
  /**
   * Makes an admin key when no active key is one that reaches every factory.
   * @returns the value of the key that was made just now
   */
  ensureAdmin(): Promise<string | undefined>;
}

export function createKeys({ store, now }: { store: KeyStore; now: () => Date }): Keys {
  let settingsKeyId: string | undefined;
  const isActive = (key: ApiKey) =>
    key.revokedAt === null && (key.expiresAt === null || key.expiresAt > now().toISOString());

  function newKey(request: KeyRequest, value: string, fromSettings: boolean): NewApiKey {
    const type = request.kind === "personal" ? "user" : "service_account";
    return {
      id: newUid(),
      principal: { uid: newUid(), type, displayName: request.name },
      name: request.name,
      kind: request.kind,
      role: request.role,
      factories: request.factories,
      prefix: value.slice(0, SHOWN_PREFIX_LENGTH),
      hash: hashOf(value),
      fromSettings,
      createdAt: now().toISOString(),
      expiresAt: request.expiresAt ?? null,
    };
  }

  const isAdminOfAll = ({ role, factories }: ApiKey) => roleAllows(role, "admin") && factories === null;

  return {
    async create(request) {
      const value = KEY_PREFIX + randomText(RANDOM_LENGTH);
      return { key: await store.create(newKey(request, value, false)), value };
    },
    async recognise(value) {
      const key = await store.findByHash(hashOf(value));
      if (!key || !isActive(key)) return undefined;
      const at = now();
      if (key.lastUsedAt === null || at.getTime() - Date.parse(key.lastUsedAt) > USE_RECORDED_EVERY_MS) {
        // Nobody waits for it: where the store cannot write, what it holds can still be read.
        store.recordUse(key.id, at.toISOString()).catch(() => {});
      }
      return key;
    },
    async findActive(id) {
      const key = await store.findById(id);
      return key && isActive(key) ? key : undefined;
    },
    list: () => store.list(),
    async revoke(id) {
      const outcome = await store.revoke(id, now().toISOString());
      if (outcome === "revoked") return;
      if (outcome === "last admin") throw lastAdmin(id);
      throw new MillraceError("resource_not_found", `There is no active API key "${id}".`, {
        remedy: "Run `millrace keys list` to list the IDs of all keys.",
      });
    },
    isOfSettings: (id) => id === settingsKeyId,
    async applySettingsKey(value) {
      const hash = value === undefined ? undefined : hashOf(value);
      await store.revokeFormerSettings(hash, now().toISOString());
      if (value === undefined || hash === undefined) return undefined;
      const existing = await store.findByHash(hash);
      const key = existing ?? (await store.create(newKey(FIRST_ADMIN, value, true)));
      settingsKeyId = key.id;
      return whyNoAdmin(key, isActive(key) || (await store.reinstateSettings(hash)));
    },
    async ensureAdmin() {
      const keys = await store.list();
      if (keys.some((key) => isActive(key) && isAdminOfAll(key))) return undefined;
      const value = KEY_PREFIX + randomText(RANDOM_LENGTH);
      // Another server may have made one in the meantime, and its key is the one that is shown.
      return (await store.createFirstAdmin(newKey(FIRST_ADMIN, value, false))) && value;
    },
  };
}

function lastAdmin(id: string): MillraceError {
  return new MillraceError(
    "conflict",
    `${id} is the last active admin key with access to every factory. Without it, no other admin key could be created.`,
    {
      remedy: "Create another one first: `millrace keys create --name NAME --role admin`.",
      retryable: false,
    },
  );
}

/** Why a key that the settings name gives no one every right, as far as it does not. */
function whyNoAdmin({ id, role, factories, revokedAt }: ApiKey, isUsable: boolean): string | undefined {
  const remedy =
    "Set another key, or remove the setting: `millrace keys create --local` creates a key on this machine";
  if (!isUsable) {
    const ended = revokedAt === null ? "has expired" : "was revoked";
    return `MILLRACE_ADMIN_KEY is set to key ${id}, which ${ended}: it is rejected (401). ${remedy}`;
  }
  if (roleAllows(role, "admin") && factories === null) return undefined;
  const reach = factories === null ? "" : " and is restricted to some factories";
  return `MILLRACE_ADMIN_KEY is set to key ${id}, which has the role ${role}${reach}: its permissions are not changed. ${remedy}`;
}

function hashOf(value: string): string {
  return createHash("sha256").update(value).digest("hex");
}
