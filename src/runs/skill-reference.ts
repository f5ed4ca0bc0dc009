/** A skill as a request names it: `repo:name`, `repo:path`, `owner/repo:name` or `owner/repo:path`. */
export interface SkillReference {
  spec: string;
  name: string;
}

/** Reads a skill specification. A path is named after the folder of its SKILL.md. */
export function skillReference(spec: string): SkillReference {
  const path = spec.slice(spec.indexOf(":") + 1).replace(/\/(?:SKILL\.md)?$/, "");
  return { spec, name: path.slice(path.lastIndexOf("/") + 1) };
}
