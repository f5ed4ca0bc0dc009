/** The address of a page of a factory. */
export function factoryPath(factory: string, ...rest: string[]): string {
  return ["", "factories", factory, ...rest].map(encodeURIComponent).join("/");
}
