/** A skill as a request names it: `repo:name`, `repo:path`, `owner/repo:name` or `owner/repo:path`. */
export interface SkillReference {
  spec: string;
  name: string;
}

/** Where a skill is: in a repository, which may lack its owner, or else in the definition. */
export interface SkillPlace {
  repository?: { owner?: string; name: string };
  /** The name of the skill, or a path to its folder or its SKILL.md. */
  path: string;
  /** The name of its folder. */
  name: string;
}

/** Reads a skill specification. A path is named after the folder of its SKILL.md. */
export function skillReference(spec: string): SkillReference {
  return { spec, name: skillPlace(spec).name };
}

/** Reads a skill specification as the place that it names. */
export function skillPlace(spec: string): SkillPlace {
  const colon = spec.indexOf(":");
  const path = spec.slice(colon + 1).replace(/\/+$/, "");
  const folder = path.replace(/\/SKILL\.md$/, "");
  const name = folder.slice(folder.lastIndexOf("/") + 1);
  if (colon < 0) return { path, name };
  const repository = spec.slice(0, colon);
  const slash = repository.lastIndexOf("/");
  const repo = repository.slice(slash + 1);
  return {
    repository: { ...(slash < 0 ? {} : { owner: repository.slice(0, slash) }), name: repo },
    path,
    name: name === "SKILL.md" ? repo : name,
  };
}
