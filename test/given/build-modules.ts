/** A module of the build: its threads and processes are programs of their own. */
export function build<Module>(path: string): Promise<Module> {
  return import(/* @vite-ignore */ new URL(`../../dist/${path}`, import.meta.url).href);
}
