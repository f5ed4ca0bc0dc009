import { forRuns, tool } from "../tool.ts";
import { ownRun } from "./own-run.ts";

/** A page that the runs of a family share. */
export const note = tool<{ text?: string; replace?: boolean }>({
  name: "note",
  title: "Read or write the shared note",
  description:
    "Reads the note that all runs of your family share; with text, adds to its end first. Keep there what the others have to know.",
  input: {
    type: "object",
    additionalProperties: false,
    properties: {
      text: { type: "string", minLength: 1, description: "What to add. Leave it out to read the note." },
      replace: { type: "boolean", description: "Whether the text takes the place of the whole note." },
    },
  },
  refusal: forRuns,
  async call({ text, replace = false }, { caller, call }) {
    const path = { runId: ownRun(caller) };
    const page =
      text === undefined
        ? await call("getNote", { path })
        : await call("putNote", { path, body: { text, append: !replace } });
    return { text: page.text === "" ? "The note is empty." : page.text };
  },
});
