// Bodies as providers send them: one to four kilobytes, the same keys and addresses over and over, and in each some words,
// hashes, numbers and times that no other has.
import { createHash } from "node:crypto";

/** @returns a function that writes the body of the delivery with a number, the same one each time */
export function randomDeliveries() {
  const vocabulary = Array.from({ length: 30_000 }, (_, n) => wordOf(n));
  return (n, time) => {
    let state = Math.imul(n + 1, 2_654_435_761) >>> 0;
    const pick = (below) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    // Few words are most of a text.
    const words = (count) =>
      Array.from(
        { length: count },
        () => vocabulary[Math.floor(vocabulary.length ** (pick(10_000) / 10_000))],
      ).join(" ");
    const person = () => {
      const login = `${vocabulary[pick(300)]}${pick(40)}`;
      return {
        login,
        id: 1_000_000 + pick(12_000),
        type: "User",
        url: `https://api.example.com/users/${login}`,
        site_admin: false,
      };
    };
    const sha = () =>
      createHash("sha1")
        .update(`${n} ${pick(1e9)}`)
        .digest("hex");
    const repository = `${vocabulary[pick(50)]}/${vocabulary[pick(400)]}`;
    const number = 1 + pick(40_000);
    const issue = `https://api.example.com/repos/${repository}/issues/${number}`;
    return JSON.stringify({
      action: ["opened", "closed", "edited", "labeled"][pick(4)],
      order: `ord${n}`,
      issue: {
        id: 2_000_000_000 + n,
        number,
        url: issue,
        comments_url: `${issue}/comments`,
        events_url: `${issue}/events`,
        title: words(4 + pick(8)),
        state: pick(2) === 0 ? "open" : "closed",
        user: person(),
        assignee: pick(3) === 0 ? person() : null,
        labels: Array.from({ length: pick(4) }, () => ({
          name: vocabulary[pick(60)],
          color: sha().slice(0, 6),
        })),
        created_at: new Date(time - pick(1e9)).toISOString(),
        updated_at: new Date(time).toISOString(),
        body: words(10 + pick(180)),
      },
      status: pick(10) === 0 ? "failed" : "passed",
      after: sha(),
      before: sha(),
      commits: Array.from({ length: pick(3) }, () => ({ id: sha(), message: words(6), author: person() })),
      repository: {
        id: pick(50_000),
        full_name: repository,
        private: pick(2) === 0,
        html_url: `https://example.com/${repository}`,
      },
      sender: person(),
    });
  };
}

const SYLLABLES = [
  "ba",
  "re",
  "ti",
  "mo",
  "lu",
  "ka",
  "sen",
  "dor",
  "vi",
  "pal",
  "ner",
  "go",
  "shi",
  "tra",
  "fen",
  "qui",
];

function wordOf(n) {
  let [word, rest] = ["", n + 16];
  while (rest > 0) {
    word += SYLLABLES[rest % SYLLABLES.length];
    rest = Math.floor(rest / SYLLABLES.length);
  }
  return word;
}
