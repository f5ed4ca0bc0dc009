import type { Config } from "../../config/config.ts";
import { errorMessage, MillraceError } from "../../errors/error.ts";
import { agentNotice, createHarnesses, PRESETS } from "../../executor/harness/harness.ts";
import { findProgram } from "../../executor/sandbox/find-program.ts";
import type { Sandbox } from "../../executor/sandbox/sandbox.ts";
import { tryProgram } from "../../executor/sandbox/try-program.ts";
import { definitionOf } from "../../reconcile/active-definition.ts";
import type { FactoryRecord, FactoryStore } from "../../reconcile/factory.ts";
import { type DoctorFinding, ok, problem, warning } from "./finding.ts";

const ANSWER_WITHIN_MS = 20_000;

/** Whether each program for runs can be started in the sandbox. */
export async function examineHarnesses(
  config: Pick<Config, "agentCommand" | "harnesses">,
  sandbox: Sandbox,
  workspaces: string,
): Promise<DoctorFinding[]> {
  const programs = await programsOf(config);
  const findings: DoctorFinding[] = [];
  for (const [program, names] of programs)
    findings.push(await examineProgram(program, names, sandbox, workspaces));
  return findings;
}

/** Whether an active agent or automation has no program. */
export async function examineAgentCommand(
  config: Pick<Config, "agentCommand" | "harnesses" | "workers">,
  records: readonly FactoryRecord[],
  factories: Pick<FactoryStore, "listResources">,
): Promise<DoctorFinding[]> {
  const active = await Promise.all(
    records.map(async (record) => {
      const definition = definitionOf(await factories.listResources(record.uid));
      return { record, active: definition && { definition } };
    }),
  );
  const missing = agentNotice(config, active);
  return missing ? [warning("agent command", `${missing}.`, "See docs/how-to/agent.md.")] : [];
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

/** The agent command is any program, a script too; the named harnesses have a version to tell. */
function mayHaveNoVersion(names: readonly string[]): boolean {
  return names.every((name) => name === "command");
}

/** What shells, `setpriv` and the engines of containers end with when there is no such program. */
const NOT_STARTED = new Set([125, 126, 127]);

function hasStarted(code: number | null, said: string): boolean {
  return code !== null && !NOT_STARTED.has(code) && !said.startsWith("bwrap: ");
}

async function examineProgram(
  program: string,
  names: readonly string[],
  sandbox: Sandbox,
  workspaces: string,
): Promise<DoctorFinding> {
  const check = `harness ${names.join(", ")}`;
  const asked = `\`${program} --version\` in the sandbox ${sandbox.mode}`;
  const remedy =
    "Install it in a folder that is in the server's PATH and visible in the sandbox (docs/isolation.md). Run `millrace doctor` with the same environment as the server.";
  try {
    const { code, said, timedOut } = await tryProgram([program, "--version"], sandbox, {
      workspaces,
      timeoutMs: ANSWER_WITHIN_MS,
    });
    const [line = "nothing"] = said.split("\n");
    if (code === 0) return ok(check, `${asked} prints: ${line}`);
    if (timedOut)
      return warning(check, `${asked} did not exit within ${ANSWER_WITHIN_MS / 1_000} s.`, remedy);
    if (mayHaveNoVersion(names) && hasStarted(code, said))
      return ok(
        check,
        `\`${program}\` starts in the sandbox ${sandbox.mode}; \`--version\` exited with code ${code}, which is normal for a program without that option, and printed: ${line}`,
      );
    return warning(
      check,
      `${asked} exited with ${code === null ? "a signal" : `code ${code}`} and printed: ${line}`,
      remedy,
    );
  } catch (error) {
    const own = error instanceof MillraceError ? error.remedy : undefined;
    return problem(check, `${asked} cannot be started: ${errorMessage(error)}.`, own ?? remedy);
  }
}
