import { DEFAULT_AGENT } from "../definitions/definition.ts";
import type { FactorySource, SyncState } from "../reconcile/factory.ts";
import type { Factory } from "../reconcile/running-factory.ts";
import type { Run } from "../runs/run.ts";

/** What a token says of a run, beside who issued it, for whom, and for how long. Named as in docs/how-to/run-identity.md. */
export interface RunClaims {
  /** What trust is given to: the same for every run of an automation. */
  sub: string;
  factory?: string;
  factory_uid?: string;
  automation?: string;
  automation_uid?: string;
  agent: string;
  run: string;
  turn: number;
  /** The repository of the definition, and its active commit. */
  repository?: string;
  commit?: string;
  /** What the sender calls the event that started the run, or the event of the factory that did. */
  event?: string;
  source: string;
}

type ClaimedRun = Pick<
  Run,
  "id" | "turn" | "factoryUid" | "automationUid" | "agentUid" | "executor" | "source" | "execution"
>;

/** A factory as tokens tell of it. */
export interface ClaimedFactory {
  record: Pick<Factory["record"], "uid" | "name" | "mode"> & {
    source: FactorySource;
    sync: Pick<SyncState, "appliedRevision">;
  };
  active: Pick<NonNullable<Factory["active"]>, "resources"> | undefined;
}

/**
 * What a token says of a run. Nothing in it is chosen by the agent, and no part of a delivery's payload is in it: whoever sends one
 * could name any repository there.
 * @param factory that of the run, if it has one that is served
 */
export function runClaims(run: ClaimedRun, factory: ClaimedFactory | undefined): RunClaims {
  const event = run.execution.event ?? run.execution.trigger?.event;
  const ofRun = {
    run: run.id,
    turn: run.turn,
    source: run.source,
    ...(event === undefined ? {} : { event }),
  };
  if (!factory)
    return { sub: subject("principal", run.executor.uid), agent: run.executor.displayName, ...ofRun };
  const { uid, name } = factory.record;
  const automation = nameOf("automation", run.automationUid, factory);
  const agent = nameOf("agent", run.agentUid, factory) ?? DEFAULT_AGENT;
  return {
    sub:
      run.automationUid === null
        ? subject("factory", name, "agent", agent)
        : subject("factory", name, "automation", automation ?? run.automationUid),
    factory: name,
    factory_uid: uid,
    ...(automation === undefined ? {} : { automation }),
    ...(run.automationUid === null ? {} : { automation_uid: run.automationUid }),
    agent,
    ...ofRun,
    ...repositoryOf(factory),
  };
}

/** A name that is gone is that of the tombstone. */
function nameOf(kind: "agent" | "automation", uid: string | null, { active }: ClaimedFactory) {
  return active?.resources.find((each) => each.kind === kind && each.uid === uid)?.name;
}

/** A folder of this machine is nobody's business. */
function repositoryOf({
  record: { mode, source, sync },
}: ClaimedFactory): Pick<RunClaims, "repository" | "commit"> {
  if (mode === "folder") return {};
  return {
    ...("url" in source ? { repository: source.url } : {}),
    ...(sync.appliedRevision === null ? {} : { commit: sync.appliedRevision }),
  };
}

/** Names may have colons: as in the tokens of GitHub Actions, they are written as %3A, so that no name reads like two parts. */
function subject(...parts: string[]): string {
  return parts.map((part) => part.replaceAll("%", "%25").replaceAll(":", "%3A")).join(":");
}

/**
 * For whom a run may get tokens, by what its factory serves now: what its automation says, else its agent, else the factory.
 * @returns nothing for everyone
 */
export function grantedAudiences(
  { automationUid, agentUid }: Pick<Run, "automationUid" | "agentUid">,
  { active }: Pick<Factory, "active">,
): readonly string[] | undefined {
  if (!active) return undefined;
  const { definition, uidOf } = active;
  const automation = definition.automations.find(({ name }) => uidOf("automation", name) === automationUid);
  const agent = definition.agents.find(({ name }) => uidOf("agent", name) === agentUid);
  return automation?.audiences ?? agent?.audiences ?? definition.factory.audiences;
}
