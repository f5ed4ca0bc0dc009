import { storable } from "../platform/storable-text.ts";
import { parseMarkdown } from "./loading/parse.ts";

/**
 * Reads a SKILL.md. Skills are content and not definitions: whatever the file says is taken, and a front matter that
 * cannot be read leaves the folder's name standing.
 */
export function readSkill(path: string, place: { name: string; agent?: string }, text: string) {
  const parsed = parseMarkdown(path, text);
  const { name, description } = "file" in parsed ? parsed.file.data : {};
  return {
    path,
    name: typeof name === "string" && name !== "" ? storable(name) : place.name,
    ...(typeof description === "string" ? { description: storable(description) } : {}),
    ...(place.agent === undefined ? {} : { agent: place.agent }),
    content: text,
  };
}
