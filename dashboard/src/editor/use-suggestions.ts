import { useQuery } from "@tanstack/react-query";
import type { Models } from "../api/client.ts";
import { schemasQuery } from "../api/file-queries.ts";
import { agentsQuery, runnersQuery, secretsQuery, webhooksQuery } from "../api/queries.ts";
import { queryClient } from "../api/query-client.ts";
import type { Schemas } from "./schema-at.ts";
import { type KnownNames, type Suggestion, suggestIn } from "./suggestions.ts";

/** What there is on the server that a definition of this factory can name. */
export function useKnownNames({ name, uid }: Models["Factory"]): KnownNames {
  const { data: webhooks = [] } = useQuery(webhooksQuery(name));
  const { data: agents = [] } = useQuery(agentsQuery);
  const { data: runners = [] } = useQuery(runnersQuery(name));
  const { data: secrets = [] } = useQuery(secretsQuery);
  return {
    webhooks: webhooks.map((webhook) => webhook.name),
    agents: agents.filter(({ factory_uid }) => factory_uid === uid).map((agent) => agent.name),
    runners: runners.map((runner) => runner.name),
    secrets: secrets.filter((secret) => mayUse(secret, name)).map((secret) => secret.name),
  };
}

/** Whether a definition of a factory can name a secret. */
export function mayUse({ shared, factories }: Models["Secret"], factory: string): boolean {
  return shared || factories.includes(factory);
}

/** What can be written at an offset of a text. */
export type Suggest = (text: string, offset: number) => Promise<Suggestion[]>;

/** Says what can be written in a file, by its schema and by what there is on the server. */
export function useSuggestions(factory: Models["Factory"]): (path: string) => Suggest {
  const known = useKnownNames(factory);
  return (path) => async (text, offset) => {
    const schemas = (await queryClient.ensureQueryData(schemasQuery)) as Schemas;
    return suggestIn({ path, text }, offset, schemas, known);
  };
}
