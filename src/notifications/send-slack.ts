import type { OutboundAnswer } from "../outbound/outbound-client.ts";
import { type PostOptions, postSigned } from "../outbox/post-signed.ts";
import type { NotificationContent } from "./content.ts";
import type { Notification } from "./notification.ts";

/** Posts a notification to an incoming webhook of Slack, or of what takes the same form. */
export function sendSlack(
  { id, content }: Pick<Notification, "id" | "content">,
  options: Omit<PostOptions, "id">,
): Promise<OutboundAnswer> {
  const text = slackText(content);
  return postSigned(JSON.stringify({ text, unfurl_links: false, unfurl_media: false }), { ...options, id });
}

/**
 * A notification in the markup of Slack. Texts of others stand in code, where neither Slack nor what is compatible with
 * it finds links, mentions or formatting.
 */
export function slackText({ summary, url, run, detail, revision }: NotificationContent): string {
  return [
    `*${plain(summary)}*`,
    ...(run ? [code(run.title)] : []),
    ...(revision === undefined ? [] : [`Revision ${code(revision)}`]),
    ...(detail === undefined ? [] : [block(detail)]),
    `<${escaped(url)}|Open in millrace>`,
  ].join("\n");
}

/** https://api.slack.com/reference/surfaces/formatting#escaping */
function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** Names of a definition, without what begins formatting or a mention. */
function plain(text: string): string {
  return escaped(text.replace(/[*_~`@[\]]/g, (character) => (character === "_" ? "_\u200b" : " ")));
}

function code(text: string): string {
  return text === "" ? "" : `\`${escaped(withoutBackticks(text))}\``;
}

function block(text: string): string {
  return `\`\`\`\n${escaped(withoutBackticks(text))}\n\`\`\``;
}

/** They would end the code. */
function withoutBackticks(text: string): string {
  return text.replaceAll("`", "'");
}
