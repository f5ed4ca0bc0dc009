import { COMMIT_STATES } from "../../reconcile/commit-standing.ts";
import { REASONS } from "../../reconcile/outcome.ts";
import { ref } from "../http/operation.ts";
import { boundedText, instant, listOf, optionalText, text } from "../http/shapes.ts";

/** The models of a factory's history. */
export const revisionModels = {
  RevisionChange: {
    type: "object",
    additionalProperties: false,
    required: ["action", "kind", "name", "fields"],
    properties: {
      action: { type: "string", enum: ["create", "update", "delete"] },
      kind: text,
      name: { type: "string", description: "The name of the resource; empty for the factory itself." },
      fields: { type: "array", items: text, description: "The top-level fields that an update changes." },
    },
  },
  AskedBy: {
    type: "object",
    additionalProperties: false,
    required: ["reason", "principal"],
    properties: {
      reason: {
        type: ["string", "null"],
        enum: [...REASONS, null],
        description:
          "The cause of the attempt. The value change means that the folder changed; null means that the attempt was recorded before causes were stored.",
      },
      principal: {
        type: ["object", "null"],
        additionalProperties: false,
        required: ["uid", "type", "display_name"],
        properties: {
          uid: text,
          type: { type: "string", enum: ["user", "service_account"] },
          display_name: text,
        },
      },
    },
  },
  Revision: {
    type: "object",
    additionalProperties: false,
    required: [
      "id",
      "revision",
      "author",
      "message",
      "outcome",
      "changes",
      "problems",
      "asked_by",
      "is_in_force",
      "at",
    ],
    description: "One attempt to apply a revision.",
    properties: {
      id: text,
      revision: { type: "string", description: "The full hash of the commit, or of a folder's content." },
      author: optionalText,
      message: optionalText,
      outcome: { type: "string", enum: ["applied", "failed"] },
      changes: {
        type: "array",
        description: "What the revision changed or, if it failed, would have changed.",
        items: ref("RevisionChange"),
      },
      problems: { type: "array", items: ref("Problem") },
      asked_by: ref("AskedBy"),
      is_in_force: { type: "boolean", description: "Whether this revision is the applied one now." },
      at: instant,
    },
  },
  RevisionList: listOf("revisions", "Revision"),
  RollbackRequest: {
    type: "object",
    additionalProperties: false,
    required: ["revision"],
    properties: {
      revision: {
        ...boundedText(64),
        pattern: "^[0-9a-fA-F]{7,64}$",
        description: "The hash of a previously applied revision, or at least its first 7 characters.",
      },
    },
  },
  CommitStanding: {
    type: "object",
    additionalProperties: false,
    required: ["commit", "state", "attempted_revision", "applied_revision", "problems"],
    properties: {
      commit: text,
      state: {
        type: "string",
        enum: [...COMMIT_STATES],
        description:
          "in_force: the commit, or a later commit that includes it, is applied. failed: the commit was refused and is not retried automatically. replaced: the commit was applied, but the applied revision no longer includes it. suspended: nothing is applied until the factory is resumed. pending: not synced yet.",
      },
      attempted_revision: optionalText,
      applied_revision: optionalText,
      problems: { type: "array", items: ref("Problem") },
    },
  },
} as const;
