/** A count with its noun: `1 run`, `2 runs`. @param many where it is not the noun with an s */
export function pluralize(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
