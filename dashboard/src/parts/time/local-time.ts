/** An instant as a field for local times has it. */
export function localOf(instant: string): string {
  const date = new Date(instant);
  if (instant === "" || Number.isNaN(date.getTime())) return "";
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
