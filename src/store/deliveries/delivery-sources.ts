import type { DeliveryOutcome } from "../../ingress/delivery.ts";
import type { DeliveryFilter } from "../../ingress/delivery-query.ts";
import type { SqlValue } from "../sqlite/database.ts";

const OUTCOMES = Object.keys({
  Accepted: true,
  Duplicate: true,
  "Rejected (auth)": true,
  "Rejected (invalid JSON)": true,
  "Rejected (too large)": true,
} satisfies Record<DeliveryOutcome, true>) as DeliveryOutcome[];

/**
 * A part of the log in the order of an index: `base` is what the index is walked by, `filter` what is asked of each of
 * its entries. Parameters begin with `$1`.
 */
export interface DeliverySource {
  /** The column that has the id of the delivery. */
  id: string;
  from: string;
  base: string;
  filter: string[];
  values: SqlValue[];
}

/** The parts of the log that have everything that fits, none of it twice. */
export function deliverySources(asked: DeliveryFilter): DeliverySource[] {
  const { webhooks, outcomes, started, failed } = asked;
  const wanted = outcomes ? OUTCOMES.filter((outcome) => outcomes.includes(outcome)) : OUTCOMES;
  const isAll = wanted.length === OUTCOMES.length;
  if (started === true || failed === true) {
    // Only accepted deliveries start runs.
    if (!wanted.includes("Accepted") || (started === false && failed === true)) return [];
    if (failed === true) return [withFailedRuns(webhooks), amongOthers(failed, webhooks)];
    const filter = runConditions(asked);
    return webhooks ? ofWebhooks(webhooks, filter) : [withRuns(failed), amongOthers(failed, webhooks)];
  }
  if (!wanted.includes("Accepted")) return wanted.map((outcome) => notAccepted(outcome, webhooks));
  const filter = [
    ...(isAll ? [] : [`d.outcome IN (${wanted.map(quoted).join(", ")})`]),
    ...runConditions(asked),
  ];
  return webhooks ? ofWebhooks(webhooks, filter) : [all(filter)];
}

const quoted = (outcome: DeliveryOutcome) => `'${outcome}'`;

/** What is asked of the runs of a delivery `d`, as conditions. */
export function runConditions({ started, failed }: DeliveryFilter): string[] {
  const having = (is: boolean, isFailed: boolean) =>
    `${is ? "" : "NOT "}(EXISTS (SELECT 1 FROM runs r WHERE r.delivery_id = d.delivery_id${isFailed ? ` AND ${FAILED}` : ""})
      OR EXISTS (SELECT 1 FROM run_deliveries g JOIN runs r ON r.run_id = g.run_id
                 WHERE g.delivery_id = d.delivery_id${isFailed ? ` AND ${IS_FAILED}` : ""}))`;
  return [
    ...(started === undefined ? [] : [having(started, false)]),
    ...(failed === undefined ? [] : [having(failed, true)]),
  ];
}

/** As the index of these runs has it. */
const FAILED = "r.state IN ('FAILED', 'ERROR')";
/** The same of a run that is found by its id: the planner would look through all that failed. */
const IS_FAILED = `(CASE WHEN ${FAILED} THEN 1 ELSE 0 END) = 1`;

const DELIVERIES = { id: "d.delivery_id", from: "deliveries d" };

function all(filter: string[]): DeliverySource {
  return { ...DELIVERIES, base: "1 = 1", filter, values: [] };
}

function ofWebhooks(webhooks: NonNullable<DeliveryFilter["webhooks"]>, filter: string[]): DeliverySource[] {
  return webhooks.map(({ uid, factoryUid }) => ({
    ...DELIVERIES,
    base: "d.webhook_uid = $1 AND d.factory_uid = $2",
    filter,
    values: [uid, factoryUid],
  }));
}

/** Runs outlive the log: those whose delivery has left it are passed over. */
function withRuns(failed: boolean | undefined): DeliverySource {
  const whole = `NOT EXISTS (SELECT 1 FROM runs f WHERE f.delivery_id = r.delivery_id AND f.state IN ('FAILED', 'ERROR'))`;
  return {
    id: "r.delivery_id",
    from: "runs r",
    base: "r.delivery_id IS NOT NULL",
    filter: [
      "EXISTS (SELECT 1 FROM deliveries d WHERE d.delivery_id = r.delivery_id)",
      ...(failed === false ? [whole] : []),
    ],
    values: [],
  };
}

/**
 * An index leads to runs that failed, in the order of their deliveries; their webhooks are asked of each. It is named: the
 * planner prefers an index of states, and would sort all that ever failed for a page.
 */
function withFailedRuns(webhooks: DeliveryFilter["webhooks"]): DeliverySource {
  const values = (webhooks ?? []).map(({ uid, factoryUid }) => `${uid} ${factoryUid}`);
  const listed = values.map((_, index) => `$${index + 1}`).join(", ");
  const ofThese = webhooks ? ` AND d.webhook_uid || ' ' || d.factory_uid IN (${listed || "''"})` : "";
  return {
    id: "r.delivery_id",
    from: "runs r INDEXED BY runs_failed_of_deliveries",
    base: `${FAILED} AND r.delivery_id IS NOT NULL`,
    filter: [`EXISTS (SELECT 1 FROM deliveries d WHERE d.delivery_id = r.delivery_id${ofThese})`],
    values,
  };
}

/** Deliveries of runs that have got newer ones since. There are as many as automations with keys have had. */
function amongOthers(failed: boolean | undefined, webhooks: DeliveryFilter["webhooks"]): DeliverySource {
  const values = (webhooks ?? []).map(({ uid, factoryUid }) => `${uid} ${factoryUid}`);
  const listed = values.map((_, index) => `$${index + 1}`).join(", ");
  const ofThese = webhooks ? ` AND d.webhook_uid || ' ' || d.factory_uid IN (${listed || "''"})` : "";
  const ofRun = (which: string) =>
    `(SELECT 1 FROM runs r WHERE r.run_id = g.run_id AND r.delivery_id <> g.delivery_id${which})`;
  return {
    id: "g.delivery_id",
    from: "run_deliveries g",
    base: "1 = 1",
    filter: [
      `EXISTS ${ofRun(failed === true ? ` AND ${IS_FAILED}` : "")}`,
      // Those stand in the other part.
      `NOT EXISTS (SELECT 1 FROM runs r WHERE r.delivery_id = g.delivery_id${failed === true ? ` AND ${FAILED}` : ""})`,
      ...(failed === false ? [`NOT EXISTS ${ofRun(` AND ${IS_FAILED}`)}`] : []),
      `EXISTS (SELECT 1 FROM deliveries d WHERE d.delivery_id = g.delivery_id${ofThese})`,
    ],
    values,
  };
}

/** The outcome is written out: with a parameter, neither database sees that the index of the refused has what is asked. */
function notAccepted(outcome: DeliveryOutcome, webhooks: DeliveryFilter["webhooks"]): DeliverySource {
  const base = `d.outcome = ${quoted(outcome)} AND d.outcome <> 'Accepted'`;
  if (!webhooks) return { ...DELIVERIES, base, filter: [], values: [] };
  const values = webhooks.map(({ uid, factoryUid }) => `${uid} ${factoryUid}`);
  // Of the two together, no index knows: this one is walked by the outcome, whatever is asked of the webhooks.
  const listed = values.map((_, index) => `$${index + 1}`).join(", ");
  return {
    ...DELIVERIES,
    base,
    filter: [`d.webhook_uid || ' ' || d.factory_uid IN (${listed || "''"})`],
    values,
  };
}
