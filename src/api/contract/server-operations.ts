import {
  answers,
  json,
  type Paths,
  pageParameters,
  pathParameter,
  queryParameter,
  ref,
} from "./operation.ts";

export const serverPaths: Paths = {
  "/whoami": {
    get: {
      operationId: "getWhoami",
      summary: "Who calls, and what that key may do",
      tags: ["server"],
      responses: answers({ 200: json("The key of the call.", ref("Whoami")) }),
    },
  },
  "/activity": {
    get: {
      operationId: "getActivity",
      summary: "How many deliveries and runs there were, hour by hour",
      tags: ["server"],
      parameters: [
        queryParameter("hours", "How many hours, the present one included.", {
          type: "integer",
          minimum: 1,
          maximum: 168,
          default: 24,
        }),
        queryParameter("factory", "Only what belongs to this factory, by its name or uid.", {
          type: "string",
          minLength: 1,
          maxLength: 200,
        }),
      ],
      responses: answers({ 200: json("The counts.", ref("Activity")) }),
    },
  },
  "/settings": {
    get: {
      operationId: "listSettings",
      summary: "List the settings in force, secrets masked",
      tags: ["server"],
      responses: answers({ 200: json("The settings.", ref("SettingList")) }),
    },
  },
  "/factories/{factory}/runners": {
    get: {
      operationId: "listRunners",
      summary: "List the runners of a factory",
      tags: ["runners"],
      parameters: [pathParameter("factory", "The name or the uid of the factory."), ...pageParameters],
      responses: answers({ 200: json("A page of runners.", ref("RunnerList")) }),
    },
  },
};
