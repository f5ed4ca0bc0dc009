import { forRuns, tool } from "../tool.ts";
import { reportArtifact } from "../tools/report.ts";

interface Given {
  url: string;
  branch?: string;
  title?: string;
}

/** A pull request of a run. */
export const reportPr = tool<Given>({
  name: "report_pr",
  title: "Report a pull request",
  description: "Shows people a pull request of your run. Call it as soon as the pull request is open.",
  input: {
    type: "object",
    additionalProperties: false,
    required: ["url"],
    properties: {
      url: { type: "string", description: "The http or https URL of the pull request." },
      branch: { type: "string", minLength: 1, description: "Its branch." },
      title: { type: "string", minLength: 1 },
    },
  },
  synonyms: { pr_url: "url", branch_name: "branch" },
  refusal: forRuns,
  call: (data, context) => reportArtifact({ artifact_type: "PULL_REQUEST", data }, context),
});
