import { readdirSync, rmSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, vi } from "vitest";
import { loadDefinition } from "../../src/definitions/loading/load.ts";
import { createBodyRooms } from "../../src/edge/body-room.ts";
import { SourceError, type Tree } from "../../src/git/revision.ts";
import { createGate } from "../../src/ingress/gate.ts";
import { silentLog } from "../../src/log.ts";
import { type FactoriesDeps, openFactories } from "../../src/reconcile/factories.ts";
import { type FactorySpec, type FactoryStore, newFactory } from "../../src/reconcile/factory.ts";
import type { Edit } from "../../src/reconcile/managed-edits/edit.ts";
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  type NewWebhook,
  rotateSecret,
  type WebhookChange,
} from "../../src/reconcile/managed-edits/webhook-edits.ts";
import type { Factory } from "../../src/reconcile/running-factory.ts";
import { createSealer, KEY_BYTES } from "../../src/secrets/seal.ts";
import { createVault } from "../../src/secrets/vault.ts";
import { activeDefinitions } from "../../src/server/served-factories.ts";
import { createSignal } from "../../src/server/signals.ts";
import { managedSpec, newManagedSpec, specOf } from "../../src/sources/managed-sources.ts";
import { onFinished } from "./cleanup.ts";
import { treeOf } from "./definition.ts";
import { type Files, temporaryFolder } from "./folder.ts";
import { runGit } from "./repository.ts";
import { aStore } from "./store.ts";

type AStore = Awaited<ReturnType<typeof aStore>>;

/** Edits whoever uses a server makes. */
export const ANN = { uid: "ann", type: "user", displayName: "Ann" } as const;
/** Whoever edits has looked at what is there now. */
const unchecked = () => {};
const AMPLE = 1_000_000;

export interface ServerParts {
  /** Whether it has been told that others serve from its store. */
  sharesStore?: boolean;
  /** What a delivery waits for that was matched, before it is recorded. */
  beforeRecord?: () => Promise<void>;
  /** What a call of the store's factories waits for, by the name of its method. */
  before?: Partial<Record<keyof FactoryStore, () => Promise<void>>>;
  /** Hears of each request to the ingress. */
  onRequest?: () => void;
}

/** Two servers on one store and on the same repositories, with a factory that millrace keeps. */
export async function twoServers(ofB: ServerParts = {}) {
  const store = await aStore();
  const folder = temporaryFolder();
  const [a, b] = [await aServer(store, folder, {}), await aServer(store, folder, ofB)];
  return { a, b, store, uid: a.only().record.uid };
}

/** What of a server takes deliveries and edits: real HTTP, real repositories, a real store. */
export async function aServer(
  store: AStore,
  folder: string,
  { sharesStore = true, beforeRecord, before = {}, onRequest }: ServerParts,
) {
  const now = () => new Date();
  const { signal } = new AbortController();
  const data = { factories: join(folder, "factories") };
  const sources = { data, signal, now, objects: store.gitObjects, log: silentLog };
  const sealer = createSealer(Buffer.alloc(KEY_BYTES, 1));
  const vault = createVault({ store: store.secrets, sealer, outside: {}, ofServer: new Set(), env: {}, now });
  const known = await store.factories.list();
  const specs =
    known.length === 0
      ? [managedSpec("default", [], sources)]
      : known.map((record) => specOf(record, sources));
  const activated = createSignal<[factories: readonly Factory[]]>();
  const active = activeDefinitions(activated);
  const factories = await openFactories(specs, {
    ...quietReconcile,
    store: waiting(store.factories, before),
    vault,
    sealer,
    load: (tree, name) => loadDefinition(tree, name),
    now,
    onActive: activated.send,
    specOf: (record) => specOf(record, sources),
  });
  await factories.start();
  const { deliveries } = store;
  const gate = createGate(
    { deliveriesPerMinute: AMPLE, failedAuthPerMinute: AMPLE, trustProxy: [] },
    {
      onKeys() {},
      store: {
        async record(delivery) {
          await beforeRecord?.();
          return deliveries.record(delivery);
        },
        recordRefusal: deliveries.recordRefusal,
        findAuthors: deliveries.findAuthors,
        findPayload: deliveries.findPayload,
      },
      webhooks: active.webhooks,
      catchUp: factories.catchUp,
      isShared: sharesStore,
      room: createBodyRooms().ingress,
      dropped: { count() {} },
      onRuns() {},
      onRecorded() {},
      onRefused() {},
      onAnswered() {},
      publicUrl: () => "http://here",
      log: silentLog,
      now,
    },
  );
  const url = await listen((request, response) => {
    onRequest?.();
    gate.handle(request, response);
  });
  onFinished(async () => {
    await factories.stop();
    await gate.stop();
  });

  const only = () => {
    const [factory] = factories.list();
    if (!factory) throw new Error("the server has no factory");
    return factory;
  };
  const edit = (change: Edit["change"], factory = only()) => factory.edit({ principal: ANN, change });
  return {
    factories,
    gate,
    only,
    edit,
    vault,
    webhooks: () => [...active.webhooks().values()],
    urlOf: (uid: string) => `${url}/webhooks/w/${uid}`,
    /** Makes a webhook that takes a token, or signatures of a scheme. @returns its uid and its secret */
    async create(asked: NewWebhook, factory = only()) {
      let secret = "";
      const deps = { vault, mentionedSecrets: () => [] };
      await edit(async (current) => {
        const { edits, generated } = await createWebhook(asked, current, deps);
        secret = generated ?? asked.secret ?? "";
        return edits;
      }, factory);
      const uid = factory.active?.uidOf("webhook", asked.name) ?? "";
      return { uid, secret };
    },
    change: (uid: string, change: WebhookChange) =>
      edit((current) => changeWebhook(uid, change, unchecked, current)),
    remove: (uid: string) => edit((current) => deleteWebhook(uid, unchecked, current)),
    /** @returns the new secret */
    async rotate(uid: string, given?: string, overlapUntil?: string): Promise<string> {
      let secret = given ?? "";
      await edit((current) => {
        const { edits, generated } = rotateSecret(uid, { given, overlapUntil }, current, []);
        secret = generated ?? secret;
        return edits;
      });
      return secret;
    },
    makeFactory: (name: string) => factories.add(newManagedSpec(name, sources)),
    deleteFactory: (uid: string) =>
      factories.remove(uid, () => store.factoryDeletions.remove(uid, now().toISOString())),
  };
}

/** A port whose calls wait for something. */
function waiting(store: FactoryStore, before: NonNullable<ServerParts["before"]>): FactoryStore {
  return new Proxy(store, {
    get: (_, method: keyof FactoryStore) => {
      const call = store[method] as (...args: unknown[]) => Promise<unknown>;
      return async (...args: unknown[]) => {
        await before[method]?.();
        return call(...args);
      };
    },
  });
}

async function listen(handle: RequestListener): Promise<string> {
  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

let bodies = 0;

/** Sends another body with this token. @returns the status */
export async function deliver(url: string, token: string): Promise<number> {
  bodies += 1;
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(url, { method: "POST", headers, body: `{"n":${bodies}}` })).status;
}

/** A managed factory in a store that several servers share, each with a data folder of its own. */
export async function managedOnOneStore() {
  const store = await aStore();
  const now = () => new Date();
  const depsAt = (factories: string) => {
    return {
      data: { factories },
      objects: store.gitObjects,
      log: silentLog,
      signal: AbortSignal.any([]),
      now,
    };
  };
  const made = newManagedSpec("acme", depsAt(temporaryFolder()));
  const record = newFactory(made, now());
  await store.factories.create(record);

  async function startServer(data = temporaryFolder()) {
    const sealer = createSealer(Buffer.alloc(KEY_BYTES, 1));
    const spec = specOf(record, depsAt(data));
    const factories = await openFactories([spec], {
      ...quietReconcile,
      store: store.factories,
      vault: createVault({ store: store.secrets, sealer, outside: {}, ofServer: new Set(), env: {}, now }),
      sealer,
      load: (tree, sourceName) => loadDefinition(tree, sourceName),
      now,
    });
    await factories.start();
    onFinished(factories.stop);
    const factory = factories.get(record.uid);
    const repository = join(data, `${record.uid}.git`);
    return {
      data,
      factory,
      repository,
      /** Writes files, as somebody does over the API. */
      edit: (message: string, files: Files) =>
        factory.edit({
          principal: ANN,
          change: () => ({
            message,
            files: Object.entries(files).map(([path, content]) => ({ path, content: Buffer.from(content) })),
          }),
        }),
      log: () => runGit(repository, "log", "--format=%H %s", "main").split("\n"),
      loseDisk() {
        for (const left of readdirSync(data)) rmSync(join(data, left), { recursive: true });
      },
      stop: factories.stop,
    };
  }

  return { store, uid: record.uid, startServer };
}

/** What reconciling asks of the rest of a server, where a test is about something else. */
const quietReconcile = {
  hasHarness: () => true,
  redirectsKey: () => false,
  hasPrice: () => true,
  host: { sandbox: "none", os: "linux", arch: "x86_64" },
  forgesOf: async () => ({ has: () => true, canPush: () => true }),
  mayUseWorkerEnvironment: async () => true,
  listScheduleIds: async () => new Set<string>(),
  listWorkers: async () => [],
  lastDelivered: async () => ({}),
  findNarrowed: async () => [],
  log: silentLog,
  onActive: () => {},
  onReconciled: () => {},
} satisfies Partial<FactoriesDeps>;

/**
 * Factories on a real store, of which one is read from memory, where its past stays; each of its passes opens secrets and
 * then waits for a word.
 */
export async function factoriesThatWait(
  files: Files,
  {
    store: given,
    path = "/memory",
    isThere = () => true,
  }: { store?: Awaited<ReturnType<typeof aStore>>; path?: string; isThere?: () => boolean } = {},
) {
  const store = given ?? (await aStore());
  const now = () => new Date();
  const sealer = createSealer(Buffer.alloc(KEY_BYTES, 1));
  const vault = createVault({ store: store.secrets, sealer, outside: {}, ofServer: new Set(), env: {}, now });
  const waiting: (() => void)[] = [];
  let isOver = false;
  const pushed = [treeOf(files)];
  let meanwhile = async () => {};
  let beforeLoaded = async (_tree: Tree) => {};
  const spec: FactorySpec = {
    sourceKey: `folder:${path}`,
    name: "memory",
    mode: "folder",
    description: { path },
    source: {
      async latest() {
        if (!isThere()) throw new SourceError("GIT_UNREACHABLE", "It is not there yet.");
        return pushed.at(-1) ?? treeOf(files);
      },
      async past(revision) {
        const found = pushed.find((tree) => tree.revision.id === revision);
        if (found) return found;
        throw new SourceError("GIT_REVISION_MISSING", "It is kept nowhere.");
      },
      async contains(revision, commit) {
        await meanwhile();
        return revision === commit;
      },
    },
    secrets: [],
    pollMs: undefined,
  };
  const factories = await openFactories([spec], {
    ...quietReconcile,
    store: store.factories,
    vault: {
      ...vault,
      async open(names, reader) {
        const values = await vault.open(names, reader);
        if (!isOver) await new Promise<void>((resolve) => waiting.push(resolve));
        return values;
      },
    },
    sealer,
    async load(tree, sourceName) {
      await beforeLoaded(tree);
      return loadDefinition(tree, sourceName);
    },
    now,
  });
  factories.start();
  const waits = (pass: number) => vi.waitFor(() => expect(waiting.length).toBe(pass), 5_000);
  const goOn = async (pass: number) => {
    await waits(pass);
    waiting[pass - 1]?.();
  };
  onFinished(async () => {
    // Also a pass that only begins now: stopping waits for it.
    isOver = true;
    for (const resolve of waiting) resolve();
    await factories.stop();
  });
  const uid = factories.list()[0]?.record.uid ?? "";
  return {
    factories,
    store,
    vault,
    uid,
    waits,
    goOn,
    sync: () => factories.list()[0]?.record.sync,
    /** What happens while somebody asks whether a revision contains a commit. */
    whileAsked(happens: () => Promise<void>) {
      meanwhile = happens;
    },
    /** What a tree that is read waits for. */
    holdLoading(until: (tree: Tree) => Promise<void>) {
      beforeLoaded = until;
    },
    /** Puts another tree in the place of the last one. */
    push(id: string, next: Files) {
      pushed.push({ ...treeOf(next), revision: { id, author: undefined, message: undefined } });
    },
  };
}
