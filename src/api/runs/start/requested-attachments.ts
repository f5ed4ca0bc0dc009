import { checkAttachmentNames } from "../../../runs/output/attachment-name.ts";
import type { NewAttachment, Run } from "../../../runs/run.ts";
import type { CreateRequest, RunDeps } from "../run-deps.ts";
import { invalidField } from "./agent-config-check.ts";
import { parentArtifacts } from "./parent-artifacts.ts";

const MAX_ATTACHMENTS = 5;

/**
 * All files that a run is started with: those of the request, and those that its parent has left.
 * @throws MillraceError `invalid_request` for too many, for names that no workspace can have, and for artifacts that are not there
 */
export async function requestedAttachments(
  body: CreateRequest["body"],
  parent: Pick<Run, "id"> | undefined,
  deps: Pick<RunDeps, "runs" | "artifacts">,
): Promise<NewAttachment[]> {
  const sent = [...(body.attachments ?? []), ...namedImages(body)];
  const { artifacts = [] } = body;
  if (sent.length + artifacts.length > MAX_ATTACHMENTS) {
    const field = artifacts.length > 0 ? "artifacts" : "images";
    throw invalidField(
      field,
      `expected at most ${MAX_ATTACHMENTS} attachments, images and artifacts in total`,
    );
  }
  const attachments = [
    ...sent.map(({ file_name, mime_type, data }): NewAttachment => {
      return { name: file_name, mimeType: mime_type, content: Buffer.from(data, "base64") };
    }),
    ...(await parentArtifacts(artifacts, parent, deps)),
  ];
  checkAttachmentNames(attachments.map(({ name }) => name));
  return attachments;
}

/** Images as older clients send them, which have no names. */
function namedImages({ images = [] }: CreateRequest["body"]) {
  return images.map((image, index) => ({
    ...image,
    file_name: `image-${index + 1}.${image.mime_type.split("/")[1]}`,
  }));
}
