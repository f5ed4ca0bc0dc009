import { Command } from "commander";
import { print, printJson } from "../output.ts";
import { connectOwn } from "./connect-own.ts";

/** With what an agent proves to other services which run it is. */
export function oidcTokenCommand(): Command {
  return new Command("oidc-token")
    .description("print an OpenID Connect token, with which a service that trusts the server knows your run")
    .requiredOption("--audience <audience>", "who the token is for, as the service expects it (required)")
    .action(oidcToken);
}

/** The token alone, for a file or a variable. */
async function oidcToken({ audience, json }: { audience: string; json?: true }): Promise<void> {
  const { api, path } = connectOwn();
  const made = await api.call("post", "/agent/runs/{runId}/oidc-token", { path, body: { audience } }, {});
  if (json) printJson(made);
  else print(made.token);
}
