/** Members of whom some may be undefined, without those: a type that lets a member be left out does not let it be undefined. */
export function withoutUndefined<Members extends object>(
  members: Members,
): { [Name in keyof Members]?: Exclude<Members[Name], undefined> } {
  const given = Object.entries(members).filter(([, value]) => value !== undefined);
  // Entries have lost which value belongs to which name.
  return Object.fromEntries(given) as { [Name in keyof Members]?: Exclude<Members[Name], undefined> };
}
