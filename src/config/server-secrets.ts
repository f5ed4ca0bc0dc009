import type { Config } from "./config.ts";

/**
 * Names of the secrets that the settings themselves use, wherever they say `{secret: NAME}`: credentials of sources and
 * forges, push hooks, GitHub, and what else comes. Factories do not have a say in them. What harnesses have is variables
 * of agents, which name no secret.
 */
export function serverSecretsOf({ harnesses: _, ...config }: Partial<Config>): Set<string> {
  const names = new Set<string>();
  const look = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      if (key === "secret" && typeof inner === "string") names.add(inner);
      else look(inner);
    }
  };
  look(config);
  return names;
}
