/**
 * Reads a line as an event, which programs write as a JSON object on a line of its own.
 * @returns nothing for a line that is none: a warning of a library, or half an event of a program that was ended
 */
export function parseEvent<Event extends object>(line: string): Event | undefined {
  if (!line.startsWith("{")) return undefined;
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
