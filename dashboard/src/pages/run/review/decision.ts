/** The answers that a question has buttons and keys for, in the words that are sent. */
export interface Decision {
  approve: string | undefined;
  reject: string | undefined;
  /** What else the agent offers. */
  others: readonly string[];
}

const YES = /^(?:approve|yes|accept|ok|okay|go ahead|go on|merge|confirm)\b/i;
const NO = /^(?:reject|no|decline|deny|refuse|stop)\b/i;

/** What approves and what rejects among the choices of a question; of one without choices, these words themselves. */
export function decisionOf(choices: readonly string[]): Decision {
  if (choices.length === 0) return { approve: "Approve", reject: "Reject", others: [] };
  const approve = choices.find((choice) => YES.test(choice));
  const reject = choices.find((choice) => NO.test(choice));
  return { approve, reject, others: choices.filter((choice) => choice !== approve && choice !== reject) };
}
