import { createHash } from "node:crypto";
import { MillraceError } from "../error.ts";
import { newUid, randomText } from "../id.ts";
import { type ApiKey, type KeyKind, type KeyStore, type Role, roleAllows } from "./principal.ts";

const KEY_PREFIX = "mr_";
/** 40 letters and digits hold 238 bits. */
const RANDOM_LENGTH = 40;
const SHOWN_PREFIX_LENGTH = 8;
/** How exact "last used" is; each use would otherwise be a write. */
const USE_RECORDED_EVERY_MS = 60_000;
const FIRST_ADMIN_NAME = "admin";

export interface KeyRequest {
  name: string;
  kind: KeyKind;
  role: Role;
  factories: string[] | null;
  expiresAt?: string;
}

/** API keys: made, recognised and revoked. */
export interface Keys {
  /** @returns the key with its value, which is not kept and cannot be shown again */
  create(request: KeyRequest): Promise<{ key: ApiKey; value: string }>;
  /** The key in force with this value, or nothing. */
  recognise(value: string): Promise<ApiKey | undefined>;
  /** The key with this id, unless it is revoked or has expired. */
  findInForce(id: string): Promise<ApiKey | undefined>;
  list(): Promise<ApiKey[]>;
  /** @throws MillraceError `resource_not_found`, or `conflict` for the last admin key that reaches every factory */
  revoke(id: string): Promise<void>;
  /**
   * Sees to it that an admin key is in force: the one of the settings, or when there is no other a new one. A key that
   * the settings no longer have leaves.
   * @returns the value of a key that was made just now
   */
  ensureAdmin(fromSettings: string | undefined): Promise<string | undefined>;
}

export function createKeys({ store, now }: { store: KeyStore; now: () => Date }): Keys {
  const isInForce = (key: ApiKey) =>
    key.revokedAt === null && (key.expiresAt === null || key.expiresAt > now().toISOString());

  async function add(request: KeyRequest, value: string, fromSettings: boolean): Promise<ApiKey> {
    const type = request.kind === "personal" ? "user" : "service_account";
    return store.create({
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
    });
  }

  async function ensureSettingsKey(value: string): Promise<void> {
    await store.revokeFormerSettings(hashOf(value), now().toISOString());
    const existing = await store.findByHash(hashOf(value));
    if (existing && isInForce(existing)) return;
    if (existing && (await store.reinstateSettings(hashOf(value)))) return;
    if (existing) {
      throw new MillraceError("invalid_request", "MILLRACE_ADMIN_KEY is a key that has been revoked.", {
        remedy: "Set another one.",
      });
    }
    await add({ name: FIRST_ADMIN_NAME, kind: "personal", role: "admin", factories: null }, value, true);
  }

  return {
    async create(request) {
      const value = KEY_PREFIX + randomText(RANDOM_LENGTH);
      return { key: await add(request, value, false), value };
    },
    async recognise(value) {
      const key = await store.findByHash(hashOf(value));
      if (!key || !isInForce(key)) return undefined;
      const at = now();
      if (key.lastUsedAt === null || at.getTime() - Date.parse(key.lastUsedAt) > USE_RECORDED_EVERY_MS) {
        // Nobody waits for it: where the store cannot write, what it holds can still be read.
        store.recordUse(key.id, at.toISOString()).catch(() => {});
      }
      return key;
    },
    async findInForce(id) {
      const key = await store.findById(id);
      return key && isInForce(key) ? key : undefined;
    },
    list: () => store.list(),
    async revoke(id) {
      const outcome = await store.revoke(id, now().toISOString());
      if (outcome === "revoked") return;
      if (outcome === "last admin") throw lastAdmin(id);
      throw new MillraceError("resource_not_found", `There is no API key "${id}" in force.`, {
        remedy: "`millrace keys list` shows the ids of all keys.",
      });
    },
    async ensureAdmin(fromSettings) {
      if (fromSettings !== undefined) {
        await ensureSettingsKey(fromSettings);
        return undefined;
      }
      await store.revokeFormerSettings(undefined, now().toISOString());
      const keys = await store.list();
      if (keys.some((key) => isInForce(key) && roleAllows(key.role, "admin") && key.factories === null))
        return undefined;
      const value = KEY_PREFIX + randomText(RANDOM_LENGTH);
      await add({ name: FIRST_ADMIN_NAME, kind: "personal", role: "admin", factories: null }, value, false);
      return value;
    },
  };
}

function lastAdmin(id: string): MillraceError {
  return new MillraceError(
    "conflict",
    `${id} is the last admin key in force that reaches every factory; without it nobody could make another.`,
    {
      remedy: "Make another first: `millrace keys create --name NAME --role admin`.",
      retryable: false,
    },
  );
}

function hashOf(value: string): string {
  return createHash("sha256").update(value).digest("hex");
}
