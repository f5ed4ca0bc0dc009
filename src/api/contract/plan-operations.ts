import { answers, body, json, type Paths, pathParameter, ref } from "./operation.ts";

export const planPaths: Paths = {
  "/factories/{factory}/plan": {
    post: {
      operationId: "planFactory",
      summary: "What applying a definition would change; nothing is written",
      tags: ["factories"],
      parameters: [pathParameter("factory", "The name or the uid of the factory.")],
      requestBody: body(ref("PlanRequest"), false),
      responses: answers({ 200: json("The plan, also of a definition that is not valid.", ref("Plan")) }),
    },
  },
};
