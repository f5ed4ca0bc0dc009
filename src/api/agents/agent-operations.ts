import {
  answers,
  body,
  json,
  optionalIfMatch,
  type Paths,
  pageParameters,
  pathParameter,
  queryParameter,
  ref,
} from "../http/operation.ts";
import { text } from "../http/shapes.ts";

const environment = pathParameter("uid", "The UID of the environment.");
const identity = pathParameter("uid", "The UID of the agent.");
const schedule = pathParameter("scheduleId", "The id of the schedule.");

const environmentPaths: Paths = {
  "/agent/environments": {
    get: {
      operationId: "listEnvironments",
      "x-required-role": "viewer",
      summary: "List environments",
      tags: ["environments"],
      parameters: [
        ...pageParameters,
        queryParameter("sort_by", "The order: by name, or last updated first.", {
          type: "string",
          enum: ["name", "last_updated"],
          default: "last_updated",
        }),
      ],
      responses: answers({ 200: json("A page of environments.", ref("ListEnvironmentsResponse")) }),
    },
    post: {
      operationId: "createEnvironment",
      "x-required-role": "admin",
      summary: "Create an environment",
      tags: ["environments"],
      requestBody: body(ref("CloudEnvironmentConfig")),
      responses: answers({ 201: json("The environment.", ref("CloudEnvironment")) }),
    },
  },
  "/agent/environments/{uid}": {
    get: {
      operationId: "getEnvironment",
      "x-required-role": "viewer",
      summary: "Get an environment",
      tags: ["environments"],
      parameters: [environment],
      responses: answers({ 200: json("The environment.", ref("CloudEnvironment")) }),
    },
    put: {
      operationId: "updateEnvironment",
      "x-required-role": "admin",
      summary: "Replace the configuration of an environment",
      tags: ["environments"],
      parameters: [environment, optionalIfMatch],
      requestBody: body(ref("CloudEnvironmentConfig")),
      responses: answers({ 200: json("The environment.", ref("CloudEnvironment")) }),
    },
    delete: {
      operationId: "deleteEnvironment",
      "x-required-role": "admin",
      summary: "Delete an environment",
      tags: ["environments"],
      parameters: [environment, optionalIfMatch],
      responses: answers({ 204: { description: "The environment was deleted." } }),
    },
  },
};

const identityPaths: Paths = {
  "/agent/models": {
    get: {
      operationId: "listModels",
      "x-required-role": "viewer",
      summary: "List models that runs can name: those of definitions, and those whose price is known",
      tags: ["identities"],
      responses: answers({ 200: json("The models, ordered by id.", ref("ListModelsResponse")) }),
    },
  },
  "/agent/identities": {
    get: {
      operationId: "listIdentities",
      "x-required-role": "viewer",
      summary: "List the agents of definitions and those created through the API",
      tags: ["identities"],
      parameters: [
        ...pageParameters,
        queryParameter("factory_uid", "Only agents of the factory with this UID.", text),
      ],
      responses: answers({ 200: json("A page of agents.", ref("ListAgentIdentitiesResponse")) }),
    },
    post: {
      operationId: "createIdentity",
      "x-required-role": "admin",
      summary: "Create an agent that belongs to no factory",
      tags: ["identities"],
      requestBody: body(ref("CreateAgentRequest")),
      responses: answers({ 201: json("The agent.", ref("AgentResponse")) }),
    },
  },
  "/agent/identities/{uid}": {
    get: {
      operationId: "getIdentity",
      "x-required-role": "viewer",
      summary: "Get an agent",
      tags: ["identities"],
      parameters: [identity],
      responses: answers({ 200: json("The agent.", ref("AgentResponse")) }),
    },
    put: {
      operationId: "updateIdentity",
      "x-required-role": "admin",
      summary: "Update an agent created through the API",
      tags: ["identities"],
      parameters: [identity, optionalIfMatch],
      requestBody: body(ref("UpdateAgentRequest")),
      responses: answers({ 200: json("The agent.", ref("AgentResponse")) }),
    },
    delete: {
      operationId: "deleteIdentity",
      "x-required-role": "admin",
      summary: "Delete an agent created through the API, and revoke its keys",
      tags: ["identities"],
      parameters: [identity, optionalIfMatch],
      responses: answers({ 204: { description: "The agent was deleted." } }),
    },
  },
};

const schedulePaths: Paths = {
  "/agent/schedules": {
    get: {
      operationId: "listSchedules",
      "x-required-role": "viewer",
      summary: "List schedules by name",
      tags: ["schedules"],
      parameters: pageParameters,
      responses: answers({ 200: json("A page of schedules.", ref("ListScheduledAgentsResponse")) }),
    },
    post: {
      operationId: "createSchedule",
      "x-required-role": "operator",
      summary: "Create a schedule",
      tags: ["schedules"],
      requestBody: body(ref("CreateScheduledAgentRequest")),
      responses: answers({ 201: json("The schedule.", ref("ScheduledAgentItem")) }),
    },
  },
  "/agent/schedules/{scheduleId}": {
    get: {
      operationId: "getSchedule",
      "x-required-role": "viewer",
      summary: "Get a schedule",
      tags: ["schedules"],
      parameters: [schedule],
      responses: answers({ 200: json("The schedule.", ref("ScheduledAgentItem")) }),
    },
    put: {
      operationId: "updateSchedule",
      "x-required-role": "operator",
      summary: "Replace a schedule",
      tags: ["schedules"],
      parameters: [schedule, optionalIfMatch],
      requestBody: body(ref("UpdateScheduledAgentRequest")),
      responses: answers({ 200: json("The schedule.", ref("ScheduledAgentItem")) }),
    },
    delete: {
      operationId: "deleteSchedule",
      "x-required-role": "operator",
      summary: "Delete a schedule",
      tags: ["schedules"],
      parameters: [schedule, optionalIfMatch],
      responses: answers({ 200: json("The schedule was deleted.", ref("DeleteScheduledAgentResponse")) }),
    },
  },
  "/agent/schedules/{scheduleId}/pause": {
    post: {
      operationId: "pauseSchedule",
      "x-required-role": "operator",
      summary: "Pause a schedule: it starts no runs until it is resumed",
      tags: ["schedules"],
      parameters: [schedule],
      responses: answers({ 200: json("The schedule.", ref("ScheduledAgentItem")) }),
    },
  },
  "/agent/schedules/{scheduleId}/resume": {
    post: {
      operationId: "resumeSchedule",
      "x-required-role": "operator",
      summary: "Resume a schedule from its next due time",
      tags: ["schedules"],
      parameters: [schedule],
      responses: answers({ 200: json("The schedule.", ref("ScheduledAgentItem")) }),
    },
  },
};

export const agentPaths: Paths = { ...environmentPaths, ...identityPaths, ...schedulePaths };
