/**
 * Phrases that read like a translation or a riddle, each with the plain words in its place. What stands between backticks is
 * code, and is not looked at: the Unix user is `nobody`.
 *
 * `inTexts`: only in what users read, since code also has them where they are plain.
 *
 * @type {readonly { phrase: RegExp, plain: string, inTexts?: true }[]}
 */
export const PLAIN_WORDS = [
  { phrase: /\bmend(s|ed|ing)?\b/, plain: "fix" },
  { phrase: /\b(tells?|told|telling) of\b/, plain: "report" },
  { phrase: /\b(say|says|said) of\b/, plain: "describe, report" },
  {
    phrase: /\b(let|lets|letting)\b( \w+)? in\b(?! with)/,
    plain: "authenticate, accept or allow",
    inTexts: true,
  },
  { phrase: /\bkept\b/, plain: "stored, saved, retained or managed", inTexts: true },
  { phrase: /\banew\b/, plain: "again" },
  { phrase: /\bmeanwhile\b/, plain: "in the meantime, while … or since" },
  { phrase: /\bbeside\b/, plain: "next to, in addition to or with" },
  { phrase: /\b(whoever|whomever)\b/, plain: "anyone who" },
  { phrase: /\bwhom\b/, plain: "who, or another sentence" },
  { phrase: /\bsomebody\b/, plain: "someone" },
  { phrase: /\bnobody\b/, plain: "no one, or `nobody` for the Unix user" },
  {
    phrase: /(?<!\bthere )\b(is|are|was|were) no (?!longer\b|more\b|one\b|such\b)/,
    plain: "is not a …, or there is no …",
    inTexts: true,
  },
  { phrase: /\bin force\b/, plain: "active, or the applied revision" },
  { phrase: /\bout of force\b/, plain: "no longer valid" },
  { phrase: /\bby the clock\b/, plain: "on a schedule" },
  { phrase: /\bthis very\b/, plain: "this" },
  { phrase: /\bat once\b/, plain: "immediately, or at the same time", inTexts: true },
  { phrase: /\bfor good\b/, plain: "permanently" },
  { phrase: /\b(goes|go|going|went) by (the|its|their|a|what)\b/, plain: "uses" },
  { phrase: /\b(come|comes|came) to (its|their|an) end\b/, plain: "ends" },
  { phrase: /\b(stands?|stood) (beside|there|in the|at the)\b/, plain: "is in" },
  { phrase: /\b(holds?|held) (\w+ ){1,4}against\b/, plain: "compare with, or replay against" },
  { phrase: /\bawaits?\b/, plain: "waits for", inTexts: true },
  { phrase: /\bwaited for\b/, plain: "timed out, or the wait for …", inTexts: true },
  { phrase: /\blooked at\b/, plain: "synced, checked or read", inTexts: true },
  { phrase: /\bof a sudden\b/, plain: "suddenly" },
];

/** The same in comments, and in the names that a line declares, where a change touches them. */
export const PLAIN_COMMENTS = [
  ...PLAIN_WORDS.filter(({ inTexts }) => !inTexts),
  { phrase: /\btold\b/, plain: "reported, sent or informed" },
  { phrase: /\b(goes|go|going|went) on with\b/, plain: "continues, or goes on to do" },
];

/**
 * Names that were replaced, each with the name in its place, everywhere in the code. They match whole identifiers.
 *
 * @type {readonly { name: RegExp, plain: string }[]}
 */
export const PLAIN_NAMES = [
  { name: /\b(MOST|LONGEST|LARGEST)_[A-Z]\w*/, plain: "MAX_…" },
  { name: /\bopenBeside\w*/, plain: "openServerDatabase, or openConcurrently… in the store" },
  { name: /\bnothingThere\b/, plain: "what was not found, such as subjectNotFound" },
  { name: /\bnoRoom\b/, plain: "what is full, such as diskFull" },
  { name: /\bkeptOut\b/, plain: "blocked" },
  { name: /\bopenKept\b/, plain: "openStorage" },
  { name: /\bopenMill\b/, plain: "createExecutor" },
  { name: /\blookAtHeld\b/, plain: "reconcileSuspended" },
  { name: /\bformerOf\b/, plain: "findPredecessor" },
  { name: /\bclearRemains\b/, plain: "removeStaleTempFiles" },
  { name: /\btellCommit\b/, plain: "reportCommitStatus" },
  { name: /\bgiveWay\b/, plain: "lowerPriority" },
  { name: /\bbreathe\b/, plain: "yieldToEventLoop" },
];
