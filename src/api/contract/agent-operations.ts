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
} from "./operation.ts";

const environment = pathParameter("uid", "The uid of the environment.");
const identity = pathParameter("uid", "The uid of the agent.");
const schedule = pathParameter("scheduleId", "The id of the schedule.");

const environmentPaths: Paths = {
  "/agent/environments": {
    get: {
      operationId: "listEnvironments",
      summary: "List environments",
      tags: ["environments"],
      parameters: [
        ...pageParameters,
        queryParameter("sort_by", "By name, or the last updated first.", {
          type: "string",
          enum: ["name", "last_updated"],
          default: "last_updated",
        }),
      ],
      responses: answers({ 200: json("A page of environments.", ref("ListEnvironmentsResponse")) }),
    },
    post: {
      operationId: "createEnvironment",
      summary: "Make an environment",
      tags: ["environments"],
      requestBody: body(ref("CloudEnvironmentConfig")),
      responses: answers({ 201: json("The environment.", ref("CloudEnvironment")) }),
    },
  },
  "/agent/environments/{uid}": {
    get: {
      operationId: "getEnvironment",
      summary: "Get an environment",
      tags: ["environments"],
      parameters: [environment],
      responses: answers({ 200: json("The environment.", ref("CloudEnvironment")) }),
    },
    put: {
      operationId: "updateEnvironment",
      summary: "Replace the configuration of an environment",
      tags: ["environments"],
      parameters: [environment, optionalIfMatch],
      requestBody: body(ref("CloudEnvironmentConfig")),
      responses: answers({ 200: json("The environment.", ref("CloudEnvironment")) }),
    },
    delete: {
      operationId: "deleteEnvironment",
      summary: "Delete an environment",
      tags: ["environments"],
      parameters: [environment, optionalIfMatch],
      responses: answers({ 204: { description: "It is gone." } }),
    },
  },
};

const identityPaths: Paths = {
  "/agent/identities": {
    get: {
      operationId: "listIdentities",
      summary: "List the agents of definitions and those that this API has made",
      tags: ["identities"],
      parameters: pageParameters,
      responses: answers({ 200: json("A page of agents.", ref("ListAgentIdentitiesResponse")) }),
    },
    post: {
      operationId: "createIdentity",
      summary: "Make an agent that belongs to no factory",
      tags: ["identities"],
      requestBody: body(ref("CreateAgentRequest")),
      responses: answers({ 201: json("The agent.", ref("AgentResponse")) }),
    },
  },
  "/agent/identities/{uid}": {
    get: {
      operationId: "getIdentity",
      summary: "Get an agent",
      tags: ["identities"],
      parameters: [identity],
      responses: answers({ 200: json("The agent.", ref("AgentResponse")) }),
    },
    put: {
      operationId: "updateIdentity",
      summary: "Change an agent that this API has made",
      tags: ["identities"],
      parameters: [identity, optionalIfMatch],
      requestBody: body(ref("UpdateAgentRequest")),
      responses: answers({ 200: json("The agent.", ref("AgentResponse")) }),
    },
    delete: {
      operationId: "deleteIdentity",
      summary: "Delete an agent that this API has made, and revoke its keys",
      tags: ["identities"],
      parameters: [identity, optionalIfMatch],
      responses: answers({ 204: { description: "It is gone." } }),
    },
  },
};

const schedulePaths: Paths = {
  "/agent/schedules": {
    get: {
      operationId: "listSchedules",
      summary: "List schedules by name",
      tags: ["schedules"],
      parameters: pageParameters,
      responses: answers({ 200: json("A page of schedules.", ref("ListScheduledAgentsResponse")) }),
    },
    post: {
      operationId: "createSchedule",
      summary: "Make a schedule",
      tags: ["schedules"],
      requestBody: body(ref("CreateScheduledAgentRequest")),
      responses: answers({ 201: json("The schedule.", ref("ScheduledAgentItem")) }),
    },
  },
  "/agent/schedules/{scheduleId}": {
    get: {
      operationId: "getSchedule",
      summary: "Get a schedule",
      tags: ["schedules"],
      parameters: [schedule],
      responses: answers({ 200: json("The schedule.", ref("ScheduledAgentItem")) }),
    },
    put: {
      operationId: "updateSchedule",
      summary: "Replace what a schedule says",
      tags: ["schedules"],
      parameters: [schedule, optionalIfMatch],
      requestBody: body(ref("UpdateScheduledAgentRequest")),
      responses: answers({ 200: json("The schedule.", ref("ScheduledAgentItem")) }),
    },
    delete: {
      operationId: "deleteSchedule",
      summary: "Delete a schedule",
      tags: ["schedules"],
      parameters: [schedule, optionalIfMatch],
      responses: answers({ 200: json("It is gone.", ref("DeleteScheduledAgentResponse")) }),
    },
  },
  "/agent/schedules/{scheduleId}/pause": {
    post: {
      operationId: "pauseSchedule",
      summary: "Start no runs until the schedule is resumed",
      tags: ["schedules"],
      parameters: [schedule],
      responses: answers({ 200: json("The schedule.", ref("ScheduledAgentItem")) }),
    },
  },
  "/agent/schedules/{scheduleId}/resume": {
    post: {
      operationId: "resumeSchedule",
      summary: "Start runs again, from the next due time on",
      tags: ["schedules"],
      parameters: [schedule],
      responses: answers({ 200: json("The schedule.", ref("ScheduledAgentItem")) }),
    },
  },
};

export const agentPaths: Paths = { ...environmentPaths, ...identityPaths, ...schedulePaths };
