import type { DefinitionSchema } from "./loading/validate.ts";
import { FILE_START, type Problem } from "./problem.ts";
import {
  automationsWithoutFactoryNameNoAgent,
  exactlyOneAgentIsForeman,
  factoryFileIsPresentWhereItIsNeeded,
  grantsNameDeclaredAgents,
  grantsSayWhoMayBeStarted,
  linearAndJiraAreNotTogether,
  ozTakesNeitherAuthNorReasoningLevel,
  workerEnvironmentNeedsWorkerHost,
} from "./rules/agent-rules.ts";
import {
  automationsHaveOneFormEach,
  automationsNameDeclaredAgents,
  filtersDoNotContradictThemselves,
  payloadFiltersAreValid,
  promptIsThere,
  schedulesAreValid,
  timeZoneIsKnown,
  titleIsATemplate,
  triggersNameDeclaredWebhooks,
  webhookIdsNameNoFiles,
} from "./rules/automation-rules.ts";
import { exhaustedDaysHaveALimit } from "./rules/budget-rules.ts";
import {
  keyIsATemplate,
  testedDeliveriesHaveTheKey,
  threadsHaveAProvider,
  windowsAreWithinLimits,
} from "./rules/concurrency-rules.ts";
import { smallestShapeSaysSo, whatHasNoEffectSaysSo } from "./rules/effect-rules.ts";
import {
  automationsDoNotStartThemselves,
  factoryEventsNameWhatIsThere,
  filtersAskForWhatProvidersSay,
  triggersAreFed,
} from "./rules/event-rules.ts";
import { filterTestsHaveAnAutomation, filterTestsHold } from "./rules/filter-test-rules.ts";
import { repositoryNamesAreValid } from "./rules/forge-rules.ts";
import {
  configurationsAreUniqueWithOneBaseline,
  labelsAreUnique,
  labelsStraddleThePassingScore,
  scorersHaveARubric,
  scorersNameDeclaredAgents,
  suiteNamesAreUnique,
  suitesNameDeclaredAgents,
  suiteTasksMatchTheirFiles,
} from "./rules/judging-rules.ts";
import {
  injectedHostsAreAllowed,
  injectedHostsAreWellFormed,
  mcpServersCanBeReached,
  networkEntriesAreWellFormed,
  networksStayWithinLocked,
  ownServerIsNotReplaced,
} from "./rules/network-rules.ts";
import {
  notifyTargetsHaveTheirOwnNames,
  outboundFiltersAreValid,
  outboundFiltersLeaveEvents,
  outboundsAreNoMoreThanAllowed,
} from "./rules/outbound-rules.ts";
import { outputSchemasAreNamed, outputSchemasAreValid } from "./rules/output-rules.ts";
import {
  imageIsAReference,
  platformBlocksFitTheSystem,
  runnerShapeFitsItsPlatform,
  workerHostsAreWellFormed,
} from "./rules/runner-rules.ts";
import { webhookSecretsAreNotGranted } from "./rules/secret-rules.ts";
import {
  customSchemesSeparateWhatTheySign,
  customSchemesSignTheirTimestamp,
  customSchemesTakeNoCredentialForAnId,
  deliveryIdHeaderIsNoCredential,
  handshakesAreRecognized,
  previousSecretsAreOthersWithAnEnd,
  webhooksAreNoMoreThanAllowed,
} from "./rules/webhook-rules.ts";
import type { FileRule, TreeRule, WrittenFile, WrittenTree } from "./tree.ts";

/**
 * Where letters in another case, or an accent written in another way, make no other file, a checkout holds only one of
 * the two, and nobody can say which.
 */
const pathsDifferEverywhere: TreeRule = (tree) => {
  const first = new Map<string, string>();
  return tree.present.flatMap(({ path }): Problem[] => {
    const folded = path.normalize("NFC").toLowerCase();
    const other = first.get(folded);
    if (other === undefined) {
      first.set(folded, path);
      return [];
    }
    const message = `is the same file as ${other} on file systems that do not distinguish the names: rename one`;
    return [{ code: "FF_DUPLICATE_PATH", message, path, ...FILE_START, severity: "warning" }];
  });
};

/** What has to be true of a single file beyond its schema. */
// biome-ignore lint/suspicious/noExplicitAny: each list holds rules for the data of its own kind
const FILE_RULES: Partial<Record<DefinitionSchema, readonly FileRule<any>[]>> = {
  factory: [repositoryNamesAreValid, notifyTargetsHaveTheirOwnNames, exhaustedDaysHaveALimit],
  agent: [exhaustedDaysHaveALimit],
  automation: [
    promptIsThere,
    exhaustedDaysHaveALimit,
    payloadFiltersAreValid,
    filtersDoNotContradictThemselves,
    schedulesAreValid,
    filtersAskForWhatProvidersSay,
    timeZoneIsKnown,
    titleIsATemplate,
    keyIsATemplate,
    windowsAreWithinLimits,
  ],
  webhook: [
    deliveryIdHeaderIsNoCredential,
    previousSecretsAreOthersWithAnEnd,
    customSchemesSignTheirTimestamp,
    customSchemesTakeNoCredentialForAnId,
    customSchemesSeparateWhatTheySign,
    handshakesAreRecognized,
  ],
  outbound: [outboundFiltersAreValid, outboundFiltersLeaveEvents],
  runner: [runnerShapeFitsItsPlatform, platformBlocksFitTheSystem, imageIsAReference],
  scorer: [labelsStraddleThePassingScore, labelsAreUnique, scorersHaveARubric],
  benchmark_suite: [configurationsAreUniqueWithOneBaseline],
};

/** What has to be true of the tree as a whole. */
const TREE_RULES: readonly TreeRule[] = [
  factoryFileIsPresentWhereItIsNeeded,
  exactlyOneAgentIsForeman,
  automationsNameDeclaredAgents,
  automationsWithoutFactoryNameNoAgent,
  grantsNameDeclaredAgents,
  grantsSayWhoMayBeStarted,
  automationsHaveOneFormEach,
  triggersNameDeclaredWebhooks,
  webhookIdsNameNoFiles,
  webhooksAreNoMoreThanAllowed,
  outboundsAreNoMoreThanAllowed,
  webhookSecretsAreNotGranted,
  ozTakesNeitherAuthNorReasoningLevel,
  workerEnvironmentNeedsWorkerHost,
  workerHostsAreWellFormed,
  networkEntriesAreWellFormed,
  networksStayWithinLocked,
  injectedHostsAreWellFormed,
  injectedHostsAreAllowed,
  linearAndJiraAreNotTogether,
  scorersNameDeclaredAgents,
  suitesNameDeclaredAgents,
  suiteNamesAreUnique,
  suiteTasksMatchTheirFiles,
  smallestShapeSaysSo,
  whatHasNoEffectSaysSo,
  ownServerIsNotReplaced,
  mcpServersCanBeReached,
  triggersAreFed,
  factoryEventsNameWhatIsThere,
  automationsDoNotStartThemselves,
  pathsDifferEverywhere,
  filterTestsHaveAnAutomation,
  filterTestsHold,
  threadsHaveAProvider,
  testedDeliveriesHaveTheKey,
  outputSchemasAreValid,
  outputSchemasAreNamed,
];

/** The problems of one file that fits its schema. They depend on nothing else, so they can be kept with the file. */
export function checkFile(kind: DefinitionSchema, written: WrittenFile<unknown>): Problem[] {
  return (FILE_RULES[kind] ?? []).flatMap((rule) => rule(written));
}

/** The problems between the files of a tree. */
export function checkTree(tree: WrittenTree): Problem[] {
  return TREE_RULES.flatMap((rule) => rule(tree));
}
