import { queryOptions } from "@tanstack/react-query";
import { millrace, NotFoundError } from "./client.ts";
import { MAX_ROWS } from "./queries.ts";

/** The files of the active definition, without their content. */
export const filesQuery = (factory: string) =>
  queryOptions({
    queryKey: ["files", factory],
    queryFn: () => millrace.factories.files(factory, { limit: MAX_ROWS }).toArray(),
  });

/** A file as applied; nothing when there is none, which is no failure to who writes it. */
export const fileQuery = (factory: string, path: string) =>
  queryOptions({
    queryKey: ["files", factory, path],
    queryFn: async () => {
      try {
        return await millrace.factories.file(factory, path);
      } catch (error) {
        if (error instanceof NotFoundError) return null;
        throw error;
      }
    },
  });

/** The JSON Schemas of definition files, by their file names. */
export const schemasQuery = queryOptions({
  queryKey: ["schemas"],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async () => {
    const { current_version } = await millrace.factoryFiles.versions();
    return (await millrace.factoryFiles.schemas(current_version)).documents;
  },
});
