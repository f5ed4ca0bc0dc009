import { isUtf8 } from "node:buffer";
import type { RunMasks } from "../../../runs/output/run-masks.ts";
import type { NewAttachment, Run } from "../../../runs/run.ts";
import { fileMaskOf, maskOf } from "../../agent/own-run.ts";
import { invalidField } from "./agent-config-check.ts";

/**
 * The files that the agent of a run hands to a run that it starts. Secrets of its run are masked in text. A mask would break
 * a file of any other kind, so that one with a secret is refused.
 * @throws MillraceError `invalid_request`
 */
export async function maskedAttachments(
  attachments: readonly NewAttachment[],
  run: Run,
  masks: Pick<RunMasks, "maskOf" | "fileMaskOf">,
): Promise<NewAttachment[]> {
  const maskName = maskOf(run, masks);
  const maskFile = fileMaskOf(run, masks);
  const masked: NewAttachment[] = [];
  for (const attachment of attachments) {
    const { name, mimeType } = attachment;
    if (maskName(name) !== name || maskName(mimeType) !== mimeType)
      throw invalidField(
        "attachments",
        "the name or the type of a file contains a secret of the run",
        "Give the file another name or type.",
      );
    masked.push("content" in attachment ? await withoutSecrets(attachment, maskFile) : attachment);
  }
  return masked;
}

type File = Extract<NewAttachment, { content: Uint8Array }>;

async function withoutSecrets(file: File, mask: (bytes: Uint8Array) => Promise<Buffer>): Promise<File> {
  const content = await mask(file.content);
  if (content.equals(file.content)) return file;
  if (isUtf8(file.content)) return { ...file, content };
  throw invalidField(
    "attachments",
    `the file ${file.name} contains a secret of the run`,
    "Remove the secret. Secrets are masked in text files in UTF-8 only, because masking would damage other files.",
  );
}
