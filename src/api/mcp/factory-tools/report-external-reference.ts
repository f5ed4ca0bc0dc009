import { forRuns, tool } from "../tool.ts";
import { reportArtifact } from "../tools/report.ts";

interface Given {
  url: string;
  reference_type?: string;
  title?: string;
}

/** A link to what a run has made elsewhere. */
export const reportExternalReference = tool<Given>({
  name: "report_external_reference",
  title: "Report a link",
  description:
    "Shows people a link to what your run has made elsewhere, such as an issue, a document or a preview.",
  input: {
    type: "object",
    additionalProperties: false,
    required: ["url"],
    properties: {
      url: { type: "string", description: "An http or https URL." },
      reference_type: { type: "string", minLength: 1, description: "For example LINEAR_ISSUE." },
      title: { type: "string", minLength: 1 },
    },
  },
  synonyms: { type: "reference_type" },
  refusal: forRuns,
  call: (data, context) => reportArtifact({ artifact_type: "EXTERNAL_REFERENCE", data }, context),
});
