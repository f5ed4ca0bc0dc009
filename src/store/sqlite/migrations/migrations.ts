import type { Migration } from "../database.ts";
import { secrets } from "./001-secrets.ts";
import { factories } from "./002-factories.ts";
import { runs } from "./003-runs.ts";
import { deliveries } from "./004-deliveries.ts";
import { principals } from "./005-principals.ts";
import { ingress } from "./006-ingress.ts";
import { runApi } from "./007-run-api.ts";
import { agents } from "./008-agents.ts";
import { audit } from "./009-audit.ts";
import { turns } from "./010-turns.ts";
import { scheduleFirings } from "./011-schedule-firings.ts";
import { runCaps } from "./012-run-caps.ts";
import { deliveryEvents } from "./013-delivery-events.ts";
import { transcriptsApart } from "./014-transcripts-apart.ts";
import { revisions } from "./015-revisions.ts";
import { feedback } from "./016-feedback.ts";
import { sessions } from "./017-sessions.ts";
import { runIndexes } from "./018-run-indexes.ts";
import { pauses } from "./019-pauses.ts";
import { secretScopes } from "./020-secret-scopes.ts";
import { runUsage } from "./021-run-usage.ts";
import { publicClientFields } from "./022-public-client-fields.ts";
import { pullRequestAuthors } from "./023-pull-request-authors.ts";
import { pullRequestAuthorsAge } from "./024-pull-request-authors-age.ts";
import { boundNames } from "./025-bound-names.ts";
import { settingScopes } from "./026-setting-scopes.ts";
import { auditRepeats } from "./027-audit-repeats.ts";
import { keptUids } from "./028-kept-uids.ts";
import { listedRuns } from "./029-listed-runs.ts";
import { conversations } from "./030-conversations.ts";
import { deliveryFilters } from "./031-delivery-filters.ts";
import { deliverySearch } from "./032-delivery-search.ts";
import { workedTime } from "./034-worked-time.ts";
import { reruns } from "./035-reruns.ts";
import { activity } from "./036-activity.ts";
import { auditFactory } from "./037-audit-factory.ts";
import { notifications } from "./038-notifications.ts";
import { confirmedMessages } from "./039-confirmed-messages.ts";
import { children } from "./040-children.ts";
import { waiting } from "./041-waiting.ts";
import { agentReports } from "./042-agent-reports.ts";
import { tasks } from "./043-tasks.ts";
import { triggers } from "./044-triggers.ts";
import { severalWaits } from "./045-several-waits.ts";
import { endedTokens } from "./046-ended-tokens.ts";
import { workers } from "./047-workers.ts";
import { placements } from "./048-placements.ts";
import { homes } from "./049-homes.ts";
import { generations } from "./050-generations.ts";
import { revisionFiles } from "./051-revision-files.ts";
import { gitObjects } from "./052-git-objects.ts";
import { artifactBytes } from "./053-artifact-bytes.ts";
import { severalServers } from "./054-several-servers.ts";
import { secretAnswers } from "./055-secret-answers.ts";
import { usage } from "./056-usage.ts";
import { spend } from "./058-spend.ts";
import { startsOfAgents } from "./059-starts-of-agents.ts";
import { signingKeys } from "./060-signing-keys.ts";
import { runNetwork } from "./061-run-network.ts";
import { scheduleTimezone } from "./062-schedule-timezone.ts";
import { pullRequestEvents } from "./063-pull-request-events.ts";
import { previousSecrets } from "./064-previous-secrets.ts";
import { runKeys } from "./065-run-keys.ts";
import { outbound } from "./066-outbound.ts";
import { indexes } from "./073-indexes.ts";
import { fallenClaims } from "./074-fallen-claims.ts";
import { principalsOfKeys } from "./076-principals-of-keys.ts";

/** Every step of the schema, in order. New ones are added at the end; released ones are never edited. */
export const migrations: readonly Migration[] = [
  secrets,
  factories,
  runs,
  deliveries,
  principals,
  ingress,
  runApi,
  agents,
  audit,
  turns,
  scheduleFirings,
  runCaps,
  deliveryEvents,
  transcriptsApart,
  revisions,
  feedback,
  sessions,
  runIndexes,
  pauses,
  secretScopes,
  runUsage,
  publicClientFields,
  pullRequestAuthors,
  pullRequestAuthorsAge,
  boundNames,
  settingScopes,
  auditRepeats,
  keptUids,
  listedRuns,
  conversations,
  deliveryFilters,
  deliverySearch,
  workedTime,
  reruns,
  activity,
  auditFactory,
  notifications,
  confirmedMessages,
  children,
  waiting,
  agentReports,
  tasks,
  triggers,
  severalWaits,
  endedTokens,
  workers,
  placements,
  homes,
  generations,
  revisionFiles,
  gitObjects,
  artifactBytes,
  severalServers,
  secretAnswers,
  usage,
  spend,
  startsOfAgents,
  signingKeys,
  runNetwork,
  scheduleTimezone,
  pullRequestEvents,
  previousSecrets,
  runKeys,
  outbound,
  indexes,
  fallenClaims,
  principalsOfKeys,
];
