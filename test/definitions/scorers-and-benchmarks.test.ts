import { describe, expect, test } from "vitest";
import { FACTORY, problemsOf } from "../given/definition.ts";
import type { Files } from "../given/folder.ts";

describe("scorers and benchmarks", () => {
  const scorer = (labels: string, rest = "") => ({
    ...FACTORY,
    "scorers/s/scorer.md": `---\nagents: [boss]\nlabels: ${labels}\npassingScore: 0.5\nmodel: m\n${rest}---\nJudge.\n`,
  });
  const good = "[{ value: good, score: 1 }, { value: bad, score: 0 }]";
  const suite = (text: string) => ({ ...FACTORY, "benchmarks/b/suite.yaml": text });
  const S = "scorers/s/scorer.md";
  const B = "benchmarks/b/suite.yaml";

  test.each<[string, Files, string[]]>([
    ["a scorer with labels on both sides is valid", scorer(good), []],
    [
      "labels need both sides of the passing score",
      scorer("[{ value: good, score: 1 }]"),
      [`FF_INVALID_VALUE ${S}:3:9`],
    ],
    [
      "labels are unique",
      scorer("[{ value: a, score: 1 }, { value: a, score: 0 }]"),
      [`FF_INVALID_VALUE ${S}:3:43`],
    ],
    [
      "a sampling rate of nothing is refused",
      scorer(good, "samplingRate: 0\n"),
      [`FF_INVALID_VALUE ${S}:6:15`],
    ],
    [
      "a scorer names agents of the tree",
      { ...scorer(good), [S]: (scorer(good)[S] as string).replace("boss", "nobody") },
      [`FF_INVALID_REFERENCE ${S}:2:10`],
    ],
    [
      "a scorer has a rubric",
      { ...scorer(good), [S]: (scorer(good)[S] as string).replace("Judge.\n", "") },
      [`FF_MISSING_REQUIRED ${S}:2:1`],
    ],
    ["a scorer may have a name", scorer(good, "name: Good\n"), []],
    ["a suite may have no configurations", suite("name: s\nagent: boss\n"), []],
    [
      "a suite without configurations names an agent of the tree",
      suite("name: s\nagent: nobody\n"),
      [`FF_INVALID_REFERENCE ${B}:2:8`],
    ],
    [
      "configurations are not empty",
      suite("name: s\nagent: boss\nconfigurations: []\n"),
      [`FF_INVALID_VALUE ${B}:3:17`],
    ],
    [
      "a suite has one baseline at most",
      suite(
        "name: s\nagent: boss\nconfigurations: [{ name: a, role: baseline }, { name: b, role: baseline }]\n",
      ),
      [`FF_INVALID_VALUE ${B}:3:64`],
    ],
    [
      "a suite names an agent of the tree",
      suite("name: s\nagent: nobody\nconfigurations: [{ name: a, role: baseline }]\n"),
      [`FF_INVALID_REFERENCE ${B}:2:8`],
    ],
    [
      "a task that is listed has a file",
      suite("name: s\nagent: boss\nconfigurations: [{ name: a, role: baseline }]\ntasks: [t]\n"),
      [`FF_INVALID_REFERENCE ${B}:4:9`],
    ],
    [
      "a task that has a file is listed",
      {
        ...suite("name: s\nagent: boss\nconfigurations: [{ name: a, role: baseline }]\n"),
        "benchmarks/b/tasks/t.yaml": "title: t\nprompt: p\nsuccessCriteria: c\n",
      },
      ["FF_INVALID_REFERENCE benchmarks/b/tasks/t.yaml:1:1"],
    ],
    [
      "a starting commit is a full hash",
      {
        ...suite("name: s\nagent: boss\nconfigurations: [{ name: a, role: baseline }]\ntasks: [t]\n"),
        "benchmarks/b/tasks/t.yaml":
          "title: t\nprompt: p\nsuccessCriteria: c\nstartingRepoRefs: ['github.com:a/b@abc']\n",
      },
      ["FF_INVALID_VALUE benchmarks/b/tasks/t.yaml:4:20"],
    ],
  ])("%s", async (_, files, expected) => {
    expect(await problemsOf(files)).toEqual(expected);
  });
});
