import type { AskedModel } from "./scripted-model.ts";

/** What a model was sent of a conversation, in the form of whichever API. */
export interface Conversation {
  /** What followed on each thing that the model has said: the result of its call, or the next message. */
  outcomes: string[];
  /** All that was said to the model before it has said anything. */
  beginning: string;
}

// biome-ignore lint/suspicious/noExplicitAny: three APIs, each with its own shape
type Part = any;

/** A thing that was said, by the model or to it. */
interface Turn {
  isOfModel: boolean;
  text: string;
}

/** Words, blocks of words, or whatever a program has made of them. */
function textOf(content: Part): string {
  if (typeof content === "string") return content;
  const blocks: Part[] = Array.isArray(content) ? content : [content];
  return blocks.map((block) => block.text ?? block.output ?? JSON.stringify(block)).join("\n");
}

/** Reads a conversation out of what a program has asked its model. */
export function conversationOf({ body }: AskedModel): Conversation {
  const turns: Turn[] = [
    ...(body.messages ?? []).flatMap(ofMessage),
    ...(Array.isArray(body.input) ? body.input.map(ofItem) : []),
    ...(body.contents ?? []).flatMap(ofContent),
  ];
  const heard = [""];
  for (const { isOfModel, text } of turns) {
    if (isOfModel) heard.push("");
    else heard.push(`${heard.pop()}${text}\n`);
  }
  const [beginning = "", ...outcomes] = heard;
  return { beginning, outcomes };
}

/** Of Anthropic's Messages API. */
function ofMessage({ role, content }: Part): Turn[] {
  const blocks: Part[] = typeof content === "string" ? [{ text: content }] : content;
  return blocks.map(({ text, content: result }) => ({
    isOfModel: role === "assistant",
    text: text ?? textOf(result ?? ""),
  }));
}

/** Of OpenAI's Responses API. */
function ofItem({ type, role, content, output }: Part): Turn {
  return {
    isOfModel: type === "function_call" || role === "assistant",
    text: textOf(output ?? content ?? ""),
  };
}

/** Of Google's Gemini API. */
function ofContent({ role, parts }: Part): Turn[] {
  return parts.map(({ text, functionResponse }: Part) => ({
    isOfModel: role === "model",
    text: text ?? textOf(functionResponse?.response ?? ""),
  }));
}
