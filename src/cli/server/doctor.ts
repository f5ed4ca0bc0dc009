import { Command } from "commander";
import { closeInheritedFiles } from "../../platform/inherited-files.ts";
import { EXIT_CODES } from "../exit-code.ts";
import { print, printJson } from "../output.ts";
import { readConfig, withSettingFlags } from "./serve.ts";

const MARKS = { ok: "ok     ", warning: "warning", error: "ERROR  " } as const;

export function doctorCommand(): Command {
  return withSettingFlags(new Command("doctor"))
    .description(
      "check the machine and the data of a server with these settings, and suggest how to fix problems",
    )
    .option("--json", "print JSON")
    .action(doctor);
}

async function doctor({ json, ...flags }: { json?: boolean }): Promise<void> {
  const { config } = await readConfig(flags);
  closeInheritedFiles();
  // Every other command starts without loading the store.
  const { examine } = await import("../../admin/doctor/examine.ts");
  const findings = await examine(config, () => new Date());
  if (json) printJson({ findings });
  else
    for (const { check, status, message, remedy } of findings) {
      print(`${MARKS[status]} ${check}: ${message}`);
      if (remedy) print(`        ${remedy}`);
    }
  if (findings.some(({ status }) => status === "error")) process.exitCode = EXIT_CODES.no;
}
