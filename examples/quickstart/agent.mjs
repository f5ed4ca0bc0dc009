// The agent of the quickstart is an ordinary program. It reads the delivery that started its run, and writes a
// report to standard output, which becomes the transcript, and to report.md in its workspace.
import { readFile, writeFile } from "node:fs/promises";

const payloadFile = process.env.MILLRACE_PAYLOAD_FILE;
const report = payloadFile
  ? reportBuild(JSON.parse(await readFile(payloadFile, "utf8")))
  : await reportPrompt();
await writeFile("report.md", report);
console.log(report);

function reportBuild(build) {
  const minutes = Number.isFinite(build.duration_seconds)
    ? ` after ${(build.duration_seconds / 60).toFixed(1)} minutes`
    : "";
  return [
    `# The build of ${build.repository} ${build.status}`,
    "",
    `Branch ${build.branch} at commit ${build.commit}${minutes}.`,
    "",
    "The payload, as received:",
    "",
    JSON.stringify(build, null, 2),
    "",
  ].join("\n");
}

async function reportPrompt() {
  const prompt = await readFile(process.env.MILLRACE_PROMPT_FILE, "utf8");
  return `# Prompt\n\n${prompt}`;
}
