import { answers, json, type Paths, pageParameters, pathParameter, ref } from "../http/operation.ts";

export const serverPaths: Paths = {
  "/whoami": {
    get: {
      operationId: "getWhoami",
      "x-required-role": "viewer",
      summary: "Get the caller's identity and permissions",
      tags: ["server"],
      responses: answers({ 200: json("The API key used for the request.", ref("Whoami")) }),
    },
  },
  "/settings": {
    get: {
      operationId: "listSettings",
      "x-required-role": "admin",
      summary: "List the effective settings, with secrets masked",
      tags: ["server"],
      responses: answers({ 200: json("The settings.", ref("SettingList")) }),
    },
  },
  "/servers": {
    get: {
      operationId: "listServers",
      "x-required-role": "viewer",
      summary: "List the servers that share the store, with their load and last contact",
      tags: ["server"],
      parameters: pageParameters,
      responses: answers({
        200: json(
          "A page of servers, sorted by name. With SQLite, it contains only the server that responds.",
          ref("ServerList"),
        ),
      }),
    },
  },
  "/factories/{factory}/runners": {
    get: {
      operationId: "listRunners",
      "x-required-role": "viewer",
      summary: "List the runners of a factory",
      tags: ["runners"],
      parameters: [pathParameter("factory", "The name or UID of the factory."), ...pageParameters],
      responses: answers({ 200: json("A page of runners.", ref("RunnerList")) }),
    },
  },
};
