import { type Script, say, use } from "./script.ts";
import type { ModelAnswer } from "./scripted-model.ts";

type Turns<Result = void> = Generator<ModelAnswer, Result, string>;

const bash = (command: string): ModelAnswer => ({ tool: "_Bash", input: { command, description: "Works" } });

/** What models do to which the prompts of examples/factory are given: the same as its shell programs. */
const SCRIPTS: [prompt: string, script: Script][] = [
  ["You lead a factory.", leadsFactory],
  ["You change the repository in the folder `shop`.", changesCode],
  ["You review `change.patch`", reviewsChange],
  ["You verify `change.patch`.", verifiesChange],
];

/** The script of the agent whose prompt begins a conversation. */
export function scriptFor(beginning: string): Script {
  const found = SCRIPTS.filter(([prompt]) => beginning.includes(prompt));
  if (found.length !== 1) throw new Error(`${found.length} scripts fit the prompt: ${beginning}`);
  return (found[0] as (typeof found)[0])[1];
}

function* leadsFactory(): Turns {
  yield use("read_delivery");
  yield bash("cp event-payload.json issue.json");
  let given = "--file issue.json";
  for (let round = 1; ; round += 1) {
    yield use("move_task", { stage: "IMPLEMENT" });
    const implementer = yield* handOut("implementer", `implement-${round}`, given);
    yield fetch(implementer, "change.patch");
    yield use("move_task", { stage: "REVIEW" });
    const reviewer = yield* handOut("reviewer", `review-${round}`, "--file issue.json --file change.patch");
    const verdict = yield use("fetch", { run_id: reviewer, artifact: "verdict" });
    if (verdict.includes("accepted")) break;
    yield fetch(reviewer, "review.md");
    given = "--file issue.json --file change.patch --file review.md";
  }
  yield* handOut("verifier", "verify", "--file change.patch");
  yield bash("mkdir -p artifacts && cp change.patch artifacts/");
  yield use("ask_person", {
    question: "All tests pass. Approve the change?",
    choices: ["Approve", "Reject"],
  });
  const said = yield say("I have asked.");
  if (!said.includes("Approve")) {
    yield use("move_task", { stage: "CANCELLED" });
    yield use("answer", { text: "The change was rejected." });
    return;
  }
  yield use("move_task", { stage: "COMPLETE" });
  yield use("answer", { text: "The change was approved. It is the artifact change.patch." });
}

/** Starts an agent by the command, which hands files over, and waits for it by the tool. @returns its run */
function* handOut(agent: string, key: string, given: string): Turns<string> {
  const started = yield bash(`millrace agent start ${agent} --key ${key} --prompt "Do your part." ${given}`);
  const run = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(started)?.[0] ?? started;
  const result = yield use("wait_for", { run_ids: [run] });
  if (result.includes("End your turn now")) yield say("I wait.");
  return run;
}

const fetch = (run: string, name: string): ModelAnswer =>
  bash(`millrace agent fetch ${run} ${name} --to from-${run} && cp from-${run}/${name} .`);

const PATCH = "git -C shop format-patch --quiet --stdout origin/main > artifacts/change.patch";
const APPLY =
  'mkdir -p artifacts && git -C shop checkout -q -B change origin/main && git -C shop am -q "$PWD/change.patch"';

/** The first attempt has a fault: an empty cart no longer has a total. */
function* changesCode(): Turns {
  const files = yield bash("ls");
  if (files.includes("review.md")) {
    yield bash(APPLY);
    yield bash("sed -i 's/print sum }/print sum + 0 }/' shop/total.sh");
    yield bash(`printf '%s\\n' "expect \\"an empty cart\\" '' 0" >> shop/test.sh`);
    yield bash(`git -C shop commit -qam "Fix the empty cart" && ${PATCH}`);
    yield use("answer", { text: "An empty cart costs 0 again." });
    return;
  }
  yield bash("mkdir -p artifacts && git -C shop checkout -q -B change origin/main");
  yield bash("sed -i 's/sum += $2 }/sum += $2 * $3 }/; s/print sum + 0 }/print sum }/' shop/total.sh");
  yield bash(`printf '%s\\n' "expect \\"several of an item\\" 'pen 2 3\\\\n' 6" >> shop/test.sh`);
  yield bash(`git -C shop commit -qam "Count quantities" && ${PATCH}`);
  yield use("answer", { text: "The total counts quantities." });
}

function* reviewsChange(): Turns {
  yield bash(APPLY);
  const total = yield bash('echo "the total is <$(sh shop/total.sh < /dev/null)>"');
  const isRight = total.includes("<0>");
  const review = isRight ? "An empty cart costs 0." : "Fault: an empty cart costs nothing at all.";
  yield bash(
    `echo ${isRight ? "accepted" : "fault"} > artifacts/verdict && echo "${review}" > artifacts/review.md`,
  );
  yield use("answer", { text: review });
}

function* verifiesChange(): Turns {
  yield bash(APPLY);
  const tests = yield bash("sh shop/test.sh | tee artifacts/tests.txt && grep -c '^ok' artifacts/tests.txt");
  yield use("answer", {
    text: tests.includes("failed") ? "A test fails." : `${/^\d+$/m.exec(tests)?.[0]} tests pass.`,
  });
}
