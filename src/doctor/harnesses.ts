import type { Config } from "../config/config.ts";
import { agentNotice } from "../config/setting-notices.ts";
import { errorMessage, MillraceError } from "../error.ts";
import { createHarnesses } from "../runs/harness/harness.ts";
import { PRESETS } from "../runs/harness/presets.ts";
import { findProgram } from "../runs/sandbox/find-program.ts";
import type { Sandbox } from "../runs/sandbox/sandbox.ts";
import { tryProgram } from "../runs/sandbox/try-program.ts";
import { type Finding, ok, problem, warning } from "./finding.ts";

const ANSWER_WITHIN_MS = 20_000;

/** Whether there is a program for runs, and whether each one can be started in the sandbox. */
export async function examineHarnesses(
  config: Pick<Config, "agentCommand" | "harnesses">,
  sandbox: Sandbox,
  workspaces: string,
): Promise<Finding[]> {
  const missing = agentNotice(config);
  const programs = await programsOf(config);
  const findings: Finding[] = missing
    ? [warning("agent command", `${missing}.`, "docs/how-to/agent.md goes through it.")]
    : [];
  for (const [program, names] of programs)
    findings.push(await examineProgram(program, names, sandbox, workspaces));
  return findings;
}

/** The programs that are started for turns, each with the harnesses that start it. A preset counts when its program is here. */
async function programsOf(
  config: Pick<Config, "agentCommand" | "harnesses">,
): Promise<Map<string, string[]>> {
  const harnesses = createHarnesses(config);
  const named = [...(config.agentCommand ? ["command"] : []), ...Object.keys(config.harnesses)];
  const programs = new Map<string, string[]>();
  for (const name of new Set([...named, ...Object.keys(PRESETS)])) {
    const row = harnesses.find({ type: name });
    const [program] = "missing" in row ? [] : row.command;
    if (program === undefined) continue;
    if (!named.includes(name) && (await findProgram(program)) === undefined) continue;
    programs.set(program, [...(programs.get(program) ?? []), name]);
  }
  return programs;
}

async function examineProgram(
  program: string,
  names: readonly string[],
  sandbox: Sandbox,
  workspaces: string,
): Promise<Finding> {
  const check = `harness ${names.join(", ")}`;
  const asked = `\`${program} --version\` in the sandbox ${sandbox.mode}`;
  const remedy =
    "Install it where the PATH of the server finds it and the sandbox shows it: docs/isolation.md. `millrace doctor` has to have the environment of the server.";
  try {
    const { code, said, timedOut } = await tryProgram([program, "--version"], sandbox, {
      workspaces,
      timeoutMs: ANSWER_WITHIN_MS,
    });
    const [line = "nothing"] = said.split("\n");
    if (code === 0) return ok(check, `${asked} answers: ${line}`);
    if (timedOut) return warning(check, `${asked} did not end within ${ANSWER_WITHIN_MS / 1_000} s.`, remedy);
    return warning(check, `${asked} ended with ${code ?? "a signal"}, and wrote: ${line}`, remedy);
  } catch (error) {
    const own = error instanceof MillraceError ? error.remedy : undefined;
    return problem(check, `${asked} cannot be started: ${errorMessage(error)}.`, own ?? remedy);
  }
}
