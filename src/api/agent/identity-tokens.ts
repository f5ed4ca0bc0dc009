import { MillraceError } from "../../errors/error.ts";
import { grantedAudiences } from "../../oidc/granted-audiences.ts";
import { runClaims } from "../../oidc/run-claims.ts";
import type { RunTokens } from "../../oidc/run-tokens.ts";
import type { Factories } from "../../reconcile/factories.ts";
import { MAX_AUDIENCES } from "../../runs/rules/run-audience.ts";
import type { Run } from "../../runs/run.ts";
import type { RunStore } from "../../runs/run-store.ts";
import type { ApiRequest, Endpoints } from "../http/endpoint.ts";
import { notRunning, ownRun } from "./own-run.ts";

export interface IdentityTokenDeps {
  runs: Pick<RunStore, "noteAudience">;
  runTokens: RunTokens;
  factories: Pick<Factories, "find">;
  now: () => Date;
}

/** Tokens with which the agent of a run proves to other services who it is. */
export function identityTokenEndpoints(deps: IdentityTokenDeps) {
  return {
    createIdentityToken: {
      subject: ({ path, body }) => `${path.runId} ${body.audience}`,
      handle: (request) => createIdentityToken(request, deps),
    },
  } satisfies Endpoints;
}

/** Whom the token is for is in the timeline of the run before there is a token. */
async function createIdentityToken(
  request: ApiRequest<"createIdentityToken">,
  { runs, runTokens, factories, now }: IdentityTokenDeps,
) {
  const run = ownRun(request);
  const { audience } = request.body;
  runTokens.issuer();
  const factory = factoryOf(run, factories);
  const granted = factory && grantedAudiences(run, factory);
  if (granted && !granted.includes(audience)) throw notGranted(audience);
  const claims = runClaims(run, factory);
  const outcome = await runs.noteAudience(run, audience, now().toISOString());
  if (outcome === "not running") throw notRunning(run);
  if (outcome === "too many") throw tooManyAudiences(run);
  const { token, expiresAt } = await runTokens.issue(claims, audience);
  return { json: { token, expires_at: expiresAt } };
}

/** @throws MillraceError `conflict` for a factory that is gone: nobody answers for its names any more */
function factoryOf({ id, factoryUid }: Run, factories: Pick<Factories, "find">) {
  if (factoryUid === null) return undefined;
  const found = factories.find(factoryUid);
  // A factory may have a name that reads like the uid of one that is gone.
  if (found?.record.uid === factoryUid) return found;
  throw new MillraceError("conflict", `The factory of run ${id} is no longer served.`, { retryable: false });
}

function notGranted(audience: string): MillraceError {
  return new MillraceError(
    "not_authorized",
    `The definition does not allow this run to get tokens for the audience "${audience}".`,
    {
      remedy:
        "Add it to identity.audiences in the millrace: block of the automation, or of the agent or factory.yaml if the automation has no such list.",
    },
  );
}

function tooManyAudiences({ id }: Run): MillraceError {
  return new MillraceError(
    "invalid_request",
    `Run ${id} has created tokens for ${MAX_AUDIENCES} different audiences, which is the limit.`,
    { remedy: "Use one of the same audiences again." },
  );
}
