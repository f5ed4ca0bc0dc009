import { LINE_READERS, type OutputReport, outputReader } from "../../src/executor/harness/output-reader.ts";

/** What a person is shown of a program's lines, cut at every byte as a pipe may cut them, and what they report. */
export function readLines(program: keyof typeof LINE_READERS, lines: (object | string)[]) {
  const reports: OutputReport[] = [];
  const createReader = LINE_READERS[program];
  if (!createReader) throw new Error(`nothing reads ${program}`);
  const { push, end } = outputReader(createReader(), (report) => reports.push(report));
  const bytes = Buffer.from(
    lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n"),
  );
  const shown = [...bytes].map((byte) => push(Buffer.from([byte]))).concat(end());
  return { shown: Buffer.concat(shown).toString(), reports };
}
