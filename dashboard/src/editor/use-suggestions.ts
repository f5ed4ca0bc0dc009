import { useQuery } from "@tanstack/react-query";
import type { Models } from "../api/client.ts";
import { agentsQuery, runnersQuery, schemasQuery, secretsQuery, webhooksQuery } from "../api/queries.ts";
import { useMayForServer } from "../frame/use-role.ts";
import type { Schemas } from "./schema-at.ts";
import { type KnownNames, type Suggestion, suggestIn } from "./suggestions.ts";

/** What there is on the server that a definition of this factory can name. */
export function useKnownNames({ name, uid }: Models["Factory"]): KnownNames {
  const { data: webhooks = [] } = useQuery(webhooksQuery(name));
  const { data: agents = [] } = useQuery(agentsQuery);
  const { data: runners = [] } = useQuery(runnersQuery(name));
  const { data: secrets = [] } = useQuery({ ...secretsQuery, enabled: useMayForServer("viewer") });
  return {
    webhooks: webhooks.map((webhook) => webhook.name),
    agents: agents.filter(({ factory_uid }) => factory_uid === uid).map((agent) => agent.name),
    runners: runners.map((runner) => runner.name),
    secrets: secrets.map((secret) => secret.name),
  };
}

/** Says what can be written in a file, by its schema and by what there is on the server. */
export function useSuggestions(factory: Models["Factory"]) {
  const { data: schemas } = useQuery(schemasQuery);
  const known = useKnownNames(factory);
  return (path: string) =>
    (text: string, offset: number): Suggestion[] =>
      schemas ? suggestIn({ path, text }, offset, schemas as Schemas, known) : [];
}
