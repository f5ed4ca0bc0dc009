import { answers, body, json, type Paths, pathParameter, ref } from "../http/operation.ts";

export const planPaths: Paths = {
  "/factories/{factory}/plan": {
    post: {
      operationId: "planFactory",
      "x-required-role": "viewer",
      summary: "Plan a definition: show what applying it would change, without writing anything",
      tags: ["factories"],
      parameters: [pathParameter("factory", "The name or UID of the factory.")],
      requestBody: body(ref("PlanRequest"), false, ["files.content", "changes.content"]),
      responses: answers({ 200: json("The plan, whether or not the definition is valid.", ref("Plan")) }),
    },
  },
};
