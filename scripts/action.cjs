"use strict";
// What action.yml runs in a job: checks a definition and, when there is a server, plans it there. Problems and warnings
// become annotations, the plan the summary of the job. Inputs come by the environment and go on as arguments of a
// process: no shell ever reads them. Nothing of the repository that is checked is executed.

const { spawnSync } = require("child_process");
const path = require("path");
const { root, setUpToServe } = require("./setup.cjs");

setUpToServe();
const {
  ACTION_PATH = ".",
  ACTION_FACTORY,
  ACTION_CONFIG,
  MILLRACE_SERVER,
  MILLRACE_API_KEY,
  GITHUB_STEP_SUMMARY,
} = process.env;

const planned = MILLRACE_SERVER && MILLRACE_API_KEY ? plan() : undefined;
// A plan that came to no verdict leaves the definition unchecked.
if (planned === 0 || planned === 1) process.exit(planned);
const checked = millrace(
  ["validate", "--format", "github"].concat(option("--config", ACTION_CONFIG), ["--", ACTION_PATH]),
);
process.exit(checked || planned || 0);

function plan() {
  return millrace(
    ["plan", "--format", "github"].concat(
      option("--summary", GITHUB_STEP_SUMMARY),
      option("--factory", ACTION_FACTORY),
      ["--", ACTION_PATH],
    ),
  );
}

function millrace(args) {
  const program = path.join(root, "dist", "main.js");
  const { status } = spawnSync(process.execPath, [program].concat(args), { stdio: "inherit" });
  return status === null ? 1 : status;
}

/** Written as one word, so that a value can never be taken for an option. */
function option(name, value) {
  return value ? [name + "=" + value] : [];
}
