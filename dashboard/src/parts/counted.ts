/** A count with its word: `1 run`, `2 runs`. @param many where it is not the word with an s */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString()} ${count === 1 ? one : many}`;
}
