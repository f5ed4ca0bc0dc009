import { webhooksQuery } from "../../api/queries.ts";
import { queryClient } from "../../api/query-client.ts";

/** Loads again what is shown of the webhooks of a factory, for who has just changed one and must not see how it was. */
export function refreshWebhooks(factory: string): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: webhooksQuery(factory).queryKey });
}
