import type { Millrace, Models } from "../../../src/client/client.ts";

export type { Models };

/** What deliveries can be asked for by. */
export type DeliveryQuery = NonNullable<Parameters<Millrace["deliveries"]["listAll"]>[0]>;

/** What the audit log can be asked for by. */
export type AuditQuery = NonNullable<Parameters<Millrace["auditLog"]>[0]>;

/** What runs can be asked for by. */
export type RunQuery = NonNullable<Parameters<Millrace["runs"]["list"]>[0]>;

/** A run, as its page and lists show it. */
export type Run = Models["RunItem"];

/** A run among those of its family. */
export type FamilyRun = Models["RunTreeItem"];

/** A task of a factory. */
export type Task = Models["Task"];

export type TaskStage = Models["TaskStage"];

/** What tasks can be asked for by. */
export type TaskQuery = Pick<NonNullable<Parameters<Millrace["tasks"]["list"]>[1]>, "q" | "created_by">;
