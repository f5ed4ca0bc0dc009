import type { Config } from "../config/config.ts";
import { MillraceError } from "../error.ts";
import type { Feedback } from "../feedback/feedback.ts";
import type { Log } from "../log.ts";
import type { Factories, Factory } from "../reconcile/factories.ts";
import { type Caller, reachesFactory } from "./authorize.ts";
import type { Cursors } from "./cursor.ts";
import { type ApiRequest, type Endpoints, keyOf, unlimitedKeyOf } from "./endpoint.ts";
import { pageOf } from "./page.ts";

export interface FactoryParts {
  factories: Factories;
  cursors: Cursors;
  feedback: Pick<Feedback, "noticesOf">;
}

export interface FactoryMakerParts extends FactoryParts {
  making: {
    /** Makes a factory whose definition millrace keeps. @throws MillraceError `invalid_request`, `conflict` */
    makeFactory(name: string): Promise<Factory>;
  };
  config: Pick<Config, "defaultFactory">;
  log: Log;
}

/** What a second factory changes for those who name none; nothing where the settings name a default. */
function secondFactory(
  factories: Factories,
  { defaultFactory }: Pick<Config, "defaultFactory">,
): string | undefined {
  const [first, , third] = factories.list();
  if (defaultFactory !== undefined || !first || third || factories.list().length < 2) return undefined;
  return (
    "This is the second factory of the server: runs that an unlimited key asks for without naming a factory or an agent belong to " +
    `no factory from now on, without a foreman's prompt and secrets. They belonged to "${first.record.name}": set ` +
    `MILLRACE_DEFAULT_FACTORY=${first.record.name} to keep that, or name the factory in each request`
  );
}

export function factoryEndpoints({
  factories,
  cursors,
  feedback,
  making,
  config,
  log,
}: FactoryMakerParts): Endpoints {
  const view = (factory: Factory) => factoryView(factory, feedback);
  return {
    listFactories: {
      role: "viewer",
      async handle(request) {
        const key = keyOf(request);
        const visible = factories.list().filter(({ record }) => reachesFactory(key, record.uid));
        const { items, pageInfo } = pageOf(visible, ({ record }) => record.uid, request, cursors);
        return { json: { factories: items.map(view), page_info: pageInfo } };
      },
    },
    createFactory: {
      role: "admin",
      async handle(request) {
        unlimitedKeyOf(request);
        const made = await making.makeFactory(request.body.name);
        const warning = secondFactory(factories, config);
        if (warning !== undefined) log.warn({ factory: made.record.name }, warning);
        return { status: 201, json: { ...view(made), ...(warning === undefined ? {} : { warning }) } };
      },
    },
    getFactory: {
      role: "viewer",
      handle: async (request) => ({ json: view(findFactory(request, factories)) }),
    },
    syncFactory: {
      role: "operator",
      async handle(request) {
        const factory = findFactory(request, factories);
        const { principal } = keyOf(request);
        const pass = factories.sync(factory.record.uid, {
          principal,
          allowsDeletes: request.query.allow_deletes ? [(request.query.revision ?? "").toLowerCase()] : [],
        });
        return { json: view(request.query.wait ? await pass : factory) };
      },
    },
  };
}

/** The factory that the path names. @throws MillraceError `resource_not_found`, also for one that the key may not see */
export function findFactory(request: ApiRequest, factories: Factories): Factory {
  // The paths of the public API call it a uid, and take a name there too.
  const name = request.path.factory ?? request.path.uid ?? "";
  const found = factories.find(name);
  if (found && reaches(request.caller, found)) return found;
  throw noSuchFactory(name);
}

export function noSuchFactory(name: string): MillraceError {
  return new MillraceError("resource_not_found", `There is no factory "${name}" on this server.`, {
    remedy: "`millrace status` shows the factories that the key reaches.",
  });
}

function reaches(caller: Caller, { record }: Factory): boolean {
  return caller.kind === "key" && reachesFactory(caller.key, record.uid);
}

/** A factory as the API shows it, with what is to be said of it beside what its last attempt has found. */
export function factoryView({ record }: Factory, feedback: Pick<Feedback, "noticesOf">) {
  const { uid, name, mode, source, sync } = record;
  return {
    uid,
    name,
    mode,
    source,
    sync: {
      status: sync.status,
      attempted_revision: sync.attemptedRevision,
      attempted_at: sync.attemptedAt,
      applied_revision: sync.appliedRevision,
      applied_at: sync.appliedAt,
      problems: [...sync.problems, ...feedback.noticesOf(uid)],
    },
  };
}
