import { inShell } from "../errors/error.ts";
import type { Factory } from "./running-factory.ts";

/**
 * What a second factory changes for those who name none; nothing for any other, or where the settings name a default.
 * @param added the uid of the factory that is the second
 * @param defaultFactory as the settings name it
 */
export function warnOfSecond(
  factories: readonly Factory[],
  added: string,
  defaultFactory: string | undefined,
): string | undefined {
  const [first, another] = factories.filter(({ record }) => record.uid !== added);
  if (defaultFactory !== undefined || !first || another) return undefined;
  return (
    "This is the second factory on the server: runs that are created with an unlimited key and without a factory or an agent now belong to " +
    `no factory and have no foreman's prompt or secrets. They previously belonged to "${first.record.name}": set ` +
    `MILLRACE_DEFAULT_FACTORY=${inShell(first.record.name)} to retain this behavior, or specify the factory in each request`
  );
}
