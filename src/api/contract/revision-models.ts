import { REASONS } from "../../reconcile/outcome.ts";
import { COMMIT_STATES } from "../../reconcile/standing.ts";
import { ref } from "./operation.ts";
import { boundedText, instant, listOf, optionalText, text } from "./shapes.ts";

/** The models of a factory's history. */
export const revisionModels = {
  RevisionChange: {
    type: "object",
    additionalProperties: false,
    required: ["action", "kind", "name", "fields"],
    properties: {
      action: { type: "string", enum: ["create", "update", "delete"] },
      kind: text,
      name: { type: "string", description: "Empty for the factory itself." },
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
        description: "change is that of a folder; null is for attempts from before this was kept.",
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
    description: "One attempt to bring a revision into force.",
    properties: {
      id: text,
      revision: { type: "string", description: "The full hash of the commit; of a folder, of its content." },
      author: optionalText,
      message: optionalText,
      outcome: { type: "string", enum: ["applied", "failed"] },
      changes: {
        type: "array",
        description: "What it changed; of one that failed, what it would have changed.",
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
        description: "The hash of a revision that was in force, or at least its first 7 characters.",
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
          "in_force: applied, or a commit after it is. failed: it was refused, and is not tried again by itself. replaced: it was in force, and something without it is now. suspended: nothing comes into force until somebody resumes the factory. pending: not looked at yet.",
      },
      attempted_revision: optionalText,
      applied_revision: optionalText,
      problems: { type: "array", items: ref("Problem") },
    },
  },
} as const;
