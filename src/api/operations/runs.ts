import { LIST_LAG_HEADER } from "../http/headers.ts";
import {
  idempotencyKey,
  json,
  lastEventId,
  optionalIfMatch,
  type PlacedOperation,
  pageParameters,
  queryParameter,
  ref,
} from "../http/operation.ts";
import { text } from "../models/shapes.ts";
import {
  flag,
  required,
  runFilters,
  transcriptAnswers,
  transcriptParameters,
  waitTime,
} from "./parameters.ts";
import { del, get, post, put, section } from "./row.ts";

/** What can be done with runs, and with what they are started from. */
export const RUN_OPERATIONS: readonly PlacedOperation[] = [
  ...section({ tag: "runs", path: { name: "The name of the file." } }, [
    post("/agent/run", "createRunAlias", "operator or run", {
      summary: "Create a run",
      parameters: [idempotencyKey],
      body: "RunAgentRequest",
      answer: ["The run was queued.", "RunAgentResponse"],
      deprecated: true,
    }),
    post("/agent/runs", "createRun", "operator or run", {
      summary: "Create a run",
      parameters: [idempotencyKey],
      body: "RunAgentRequest",
      answer: ["The run was queued.", "RunAgentResponse"],
    }),
    get("/agent/runs", "listRuns", "viewer or run", {
      summary: "List runs",
      parameters: [...pageParameters, ...runFilters],
      answers: {
        200: { ...json("A page of runs.", ref("ListRunsResponse")), headers: LIST_LAG_HEADER },
      },
    }),
    del("/agent/runs/{runId}", "deleteRun", "admin", {
      summary: "Delete a run that has ended, including its transcript, artifacts and workspace",
      done: "The run was deleted.",
    }),
    get("/agent/runs/{runId}", "getRun", "viewer or run", {
      summary: "Get a run",
      parameters: [
        queryParameter(
          "wait",
          "How long the server waits for the run to end or become blocked before it responds, at most 60s.",
          waitTime,
        ),
      ],
      answer: ["The run.", "RunItem"],
    }),
    post("/agent/runs/{runId}/followups", "followUp", "operator or run", {
      summary: "Send a follow-up message to a run",
      parameters: [idempotencyKey],
      body: "RunFollowupRequest",
      answer: ["How the message is delivered.", "RunFollowupResponse"],
    }),
    post("/agent/runs/{runId}/cancel", "cancelRun", "operator or run", {
      summary: "Cancel a queued or running run",
      parameters: [
        queryParameter(
          "tree",
          "Whether to end all runs that descend from the run, too. Runs that wait for an answer are dismissed.",
          { type: "boolean" },
        ),
      ],
      answers: {
        200: json("The id of the run, as a bare JSON string.", { type: "string", format: "uuid" }),
      },
    }),
    get("/agent/runs/{runId}/tree", "getRunTree", "viewer or run", {
      summary: "Get the family of a run: its root and all runs that descend from it",
      answer: ["The family, oldest run first.", "RunTree"],
    }),
    get("/agent/runs/{runId}/handoff/attachments", "listHandoffAttachments", "viewer or run", {
      summary: "List the file artifacts of a run's finished turns",
      answer: ["The files.", "HandoffAttachmentList"],
    }),
    get("/agent/runs/{runId}/timeline", "getTimeline", "viewer or run", {
      summary: "List the events of a run, oldest first",
      parameters: pageParameters,
      answer: ["A page of events.", "RunTimeline"],
    }),
    post("/agent/runs/{runId}/dismiss", "dismissRun", "operator", {
      summary: "End a blocked run without answering its question",
      body: { model: "DismissRequest", optional: true },
      answer: ["The run. It is CANCELLED, unless its agent has not exited within 15 seconds.", "RunItem"],
    }),
    get("/agent/runs/{runId}/conversation", "getConversation", "viewer or run", {
      summary: "List the messages of a run, oldest first",
      parameters: pageParameters,
      answer: ["A page of messages.", "Conversation"],
    }),
    get("/agent/runs/{runId}/harness-usage", "getHarnessUsage", "viewer or run", {
      summary: "Get the model usage of a run, turn by turn",
      answer: ["The usage that the harness reported.", "HarnessUsage"],
    }),
    get("/agent/runs/{runId}/network", "getRunNetwork", "viewer or run", {
      summary: "List the hosts that a run reached, and those that it was refused",
      answer: ["The hosts.", "RunNetwork"],
    }),
    get("/agent/runs/{runId}/steps", "listRunSteps", "viewer or run", {
      summary: "List the steps of a run that its harness reported, oldest first",
      parameters: pageParameters,
      answer: ["A page of steps.", "RunSteps"],
    }),
    get("/agent/runs/{runId}/attachments", "listAttachments", "viewer or run", {
      summary: "List the attachments of a run",
      answer: ["The files.", "AttachmentList"],
    }),
    get("/agent/runs/{runId}/attachments/{name}", "getAttachment", "viewer or run", {
      summary: "Download an attachment of a run, byte for byte",
      answers: {
        200: {
          description: "The bytes, with the file's own media type.",
          content: { "*/*": { schema: {} } },
        },
      },
    }),
    get("/agent/runs/{runId}/transcript", "getTranscript", "viewer or run", {
      summary: "Get the agent's output, as text or as a stream of events",
      parameters: [lastEventId, ...transcriptParameters],
      answers: transcriptAnswers,
    }),
    get("/agent/runs/{runId}/run-again", "planRunAgain", "operator", {
      summary: "Show what running an ended run again would start",
      answer: ["The run that would be created.", "RunAgainPlan"],
    }),
    post("/agent/runs/{runId}/run-again", "runAgain", "operator", {
      summary: "Run an ended run again, with its delivery or request",
      parameters: [idempotencyKey],
      answer: ["The new run was queued.", "RunAgentResponse"],
    }),
    post("/agent/runs/{runId}/wait", "waitForRuns", "run", {
      summary: "Wait for runs that the run has started",
      path: { runId: "The id of the run that waits: the run of the token." },
      body: { model: "WaitRequest", optional: true },
      answer: ["The results, or that they are not there yet.", "WaitResponse"],
    }),
    post("/agent/runs/{runId}/blocked", "reportBlocked", "run", {
      summary: "Report that the run needs an answer from a person",
      body: "BlockedReport",
      answer: ["The run is BLOCKED.", "BlockedResponse"],
    }),
    post("/agent/runs/{runId}/answer", "reportAnswer", "run", {
      summary: "Report the final answer of the turn",
      body: "AnswerReport",
      answer: ["The answer was stored.", "ReportReceipt"],
    }),
    post("/agent/runs/{runId}/status", "reportStatus", "run", {
      summary: "Report what the agent is doing",
      body: "StatusReport",
      answer: ["The status line was stored.", "ReportReceipt"],
    }),
    post("/agent/runs/{runId}/artifacts", "reportArtifact", "run", {
      summary: "Report an artifact of the run",
      body: "ArtifactReport",
      created: ["The artifact.", "Artifact"],
    }),
    post("/agent/runs/{runId}/artifact-files", "reportArtifactFile", "run", {
      summary: "Store a file as an artifact of the run before its turn ends",
      body: "ArtifactFileReport",
      created: ["The artifact.", "Artifact"],
    }),
    get("/agent/runs/{runId}/note", "getNote", "viewer or run", {
      summary: "Get the note that the run shares with the runs of its family",
      answer: ["The note. Its ETag is that of the note.", "FamilyNote"],
    }),
    put("/agent/runs/{runId}/note", "putNote", "run", {
      summary: "Change the note that the run shares with the runs of its family",
      parameters: [optionalIfMatch],
      body: "FamilyNoteChange",
      answer: ["The note.", "FamilyNote"],
    }),
    get("/agent/runs/{runId}/delivery", "getRunDelivery", "viewer or run", {
      summary: "Get a delivery of the run, or of the run that its family began with",
      parameters: [
        queryParameter(
          "delivery_id",
          "A delivery of the run, or of the run that its family began with; if omitted, the newest one of the run, or of the run that its family began with if the run has none.",
          { type: "string" },
        ),
      ],
      answer: ["The delivery with its payload.", "RunDelivery"],
    }),
    get("/agent/runs/{runId}/agents", "listRunAgents", "viewer or run", {
      summary: "List the agents of the run's factory, and which of them the run may start",
      answer: ["The agents.", "RunAgents"],
    }),
    post("/agent/runs/{runId}/oidc-token", "createIdentityToken", "run", {
      summary: "Create an OpenID Connect token that proves to a service which run calls",
      body: "IdentityTokenRequest",
      answer: ["The token.", "IdentityToken"],
    }),
    post("/identity-keys", "createIdentityKey", "admin", {
      summary: "Replace the key that signs the identity tokens of runs",
      tag: "keys",
      body: { model: "IdentityKeyChange", optional: true },
      created: ["The key that signs now.", "IdentityKey"],
    }),
    get("/agent/artifacts/{artifactUid}", "getArtifact", "viewer or run", {
      summary: "Get an artifact of a run, with a download URL if it is a file",
      answer: ["The artifact.", "ArtifactDetails"],
    }),
    get("/agent/artifacts/{artifactUid}/download", "downloadArtifact", "viewer or run", {
      summary: "Download a file artifact of a run, byte for byte",
      answers: {
        200: {
          description: "The bytes, with the media type derived from the file name.",
          content: { "*/*": { schema: {} } },
        },
      },
    }),
    get("/agent/artifacts/{artifactUid}/file", "downloadByLink", "anyone", {
      summary: "Download a file through an expiring link",
      parameters: [
        required(
          queryParameter("expires", "The expiry time of the link, in seconds since 1970.", {
            type: "integer",
            minimum: 0,
          }),
        ),
        required(
          queryParameter("signature", "The signature that proves that this server created the link.", {
            type: "string",
          }),
        ),
      ],
      answers: {
        200: {
          description: "The bytes, with the media type derived from the file name.",
          content: { "*/*": { schema: {} } },
        },
      },
    }),
    get("/agent/runs/{runId}/deliveries", "listRunDeliveries", "viewer or run", {
      summary: "List the newest 2,000 deliveries that a run is about, oldest first",
      answer: [
        "At most 2,000 deliveries, oldest first. Of a run with more, these are the newest.",
        "RunDeliveries",
      ],
    }),
    get("/agent/sessions/{sessionUuid}/redirect", "checkSessionRedirect", "viewer or run", {
      summary:
        "Get the conversation of a session that has ended; without a key, the answer is empty for every id",
      answer: ["The conversation, if any.", "SessionRedirect"],
    }),
    get("/agent/conversations/{conversationId}", "getConversationById", "viewer or run", {
      summary: "List the messages of a conversation, oldest first",
      parameters: pageParameters,
      answer: ["A page of messages.", "Conversation"],
    }),
    get("/agent/conversations/{conversationId}/redirect", "checkConversationRedirect", "viewer or run", {
      summary: "Get the live session of a conversation; without a key, the answer is empty for every id",
      answer: ["The session, if any.", "ConversationRedirect"],
    }),
    get("/agent/conversations/{conversationId}/transcript", "getConversationTranscript", "viewer or run", {
      summary: "Get the agent's output in a conversation",
      parameters: [lastEventId, ...transcriptParameters],
      answers: transcriptAnswers,
    }),
    post("/agent/conversations/{conversationId}/followups", "followUpConversation", "operator", {
      summary: "Send a follow-up message to a conversation",
      parameters: [idempotencyKey],
      body: "RunFollowupRequest",
      answer: ["How the message is delivered.", "ConversationFollowupResponse"],
    }),
    get("/agent", "listAgents", "viewer", {
      summary: "List the skills of definitions and repositories (called agents in the public API)",
      parameters: [
        queryParameter("repo", "Only skills of this repository, as owner/repo.", { type: "string" }),
        queryParameter("refresh", "Whether to fetch the repositories first.", flag),
        queryParameter(
          "include_malformed_skills",
          "Whether to include skills that cannot be read, with their error.",
          flag,
        ),
        queryParameter("sort_by", "The order: by name, or last used first.", {
          type: "string",
          enum: ["name", "last_run"],
          default: "name",
        }),
      ],
      answer: ["The skills, ordered by name.", "AgentListResponse"],
    }),
  ]),
  ...section({ tag: "environments", path: { uid: "The UID of the environment." } }, [
    get("/agent/environments", "listEnvironments", "viewer", {
      summary: "List environments",
      parameters: [
        ...pageParameters,
        queryParameter("sort_by", "The order: by name, or last updated first.", {
          type: "string",
          enum: ["name", "last_updated"],
          default: "last_updated",
        }),
      ],
      answer: ["A page of environments.", "ListEnvironmentsResponse"],
    }),
    post("/agent/environments", "createEnvironment", "admin", {
      summary: "Create an environment",
      body: "CloudEnvironmentConfig",
      created: ["The environment.", "CloudEnvironment"],
    }),
    get("/agent/environments/{uid}", "getEnvironment", "viewer", {
      summary: "Get an environment",
      answer: ["The environment.", "CloudEnvironment"],
    }),
    put("/agent/environments/{uid}", "updateEnvironment", "admin", {
      summary: "Replace the configuration of an environment",
      parameters: [optionalIfMatch],
      body: "CloudEnvironmentConfig",
      answer: ["The environment.", "CloudEnvironment"],
    }),
    del("/agent/environments/{uid}", "deleteEnvironment", "admin", {
      summary: "Delete an environment",
      parameters: [optionalIfMatch],
      done: "The environment was deleted.",
    }),
  ]),
  ...section({ tag: "identities", path: { uid: "The UID of the agent." } }, [
    get("/agent/models", "listModels", "viewer", {
      summary: "List models that runs can name: those of definitions, and those whose price is known",
      answer: ["The models, ordered by id.", "ListModelsResponse"],
    }),
    get("/agent/identities", "listIdentities", "viewer", {
      summary: "List the agents of definitions and those created through the API",
      parameters: [
        ...pageParameters,
        queryParameter("factory_uid", "Only agents of the factory with this UID.", text),
      ],
      answer: ["A page of agents.", "ListAgentIdentitiesResponse"],
    }),
    post("/agent/identities", "createIdentity", "admin", {
      summary: "Create an agent that belongs to no factory",
      body: "CreateAgentRequest",
      created: ["The agent.", "AgentResponse"],
    }),
    get("/agent/identities/{uid}", "getIdentity", "viewer", {
      summary: "Get an agent",
      answer: ["The agent.", "AgentResponse"],
    }),
    put("/agent/identities/{uid}", "updateIdentity", "admin", {
      summary: "Update an agent created through the API",
      parameters: [optionalIfMatch],
      body: "UpdateAgentRequest",
      answer: ["The agent.", "AgentResponse"],
    }),
    del("/agent/identities/{uid}", "deleteIdentity", "admin", {
      summary: "Delete an agent created through the API, and revoke its keys",
      parameters: [optionalIfMatch],
      done: "The agent was deleted.",
    }),
  ]),
  ...section({ tag: "schedules" }, [
    get("/agent/schedules", "listSchedules", "viewer", {
      summary: "List schedules by name",
      parameters: pageParameters,
      answer: ["A page of schedules.", "ListScheduledAgentsResponse"],
    }),
    post("/agent/schedules", "createSchedule", "operator", {
      summary: "Create a schedule",
      body: "CreateScheduledAgentRequest",
      created: ["The schedule.", "ScheduledAgentItem"],
    }),
    get("/agent/schedules/{scheduleId}", "getSchedule", "viewer", {
      summary: "Get a schedule",
      answer: ["The schedule.", "ScheduledAgentItem"],
    }),
    put("/agent/schedules/{scheduleId}", "updateSchedule", "operator", {
      summary: "Replace a schedule",
      parameters: [optionalIfMatch],
      body: "UpdateScheduledAgentRequest",
      answer: ["The schedule.", "ScheduledAgentItem"],
    }),
    del("/agent/schedules/{scheduleId}", "deleteSchedule", "operator", {
      summary: "Delete a schedule",
      parameters: [optionalIfMatch],
      answer: ["The schedule was deleted.", "DeleteScheduledAgentResponse"],
    }),
    post("/agent/schedules/{scheduleId}/pause", "pauseSchedule", "operator", {
      summary: "Pause a schedule: it starts no runs until it is resumed",
      answer: ["The schedule.", "ScheduledAgentItem"],
    }),
    post("/agent/schedules/{scheduleId}/resume", "resumeSchedule", "operator", {
      summary: "Resume a schedule from its next due time",
      answer: ["The schedule.", "ScheduledAgentItem"],
    }),
  ]),
];
