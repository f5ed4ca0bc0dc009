import { at, keyword, name, one, only, type Payload, type Read } from "../filters/payload-field.ts";
import type { EventProvider, ProviderDelivery, ProviderEvent } from "./provider-event.ts";

const typeOf = (payload: Payload) =>
  at(payload, "type") === "event_callback" ? at(payload, "event", "type") : undefined;

/** What an agent writes must not start it again. */
const isByBot = (payload: Payload) =>
  typeof at(payload, "event", "bot_id") === "string" || at(payload, "event", "subtype") === "bot_message";

/** Of the messages with a subtype, these are what somebody wrote; the others say that something was edited or somebody joined. */
const WRITTEN: ReadonlySet<unknown> = new Set([undefined, "file_share", "thread_broadcast", "me_message"]);

/**
 * Slack sends a mention again when its message is edited, with a new event id and the field `edited`. It does not send what the
 * message said before, so nobody can tell whether the mention is new.
 */
const isEdited = (payload: Payload) => Boolean(at(payload, "event", "edited"));

const isMessageIn =
  (...channelTypes: string[]) =>
  ({ payload }: ProviderDelivery): boolean =>
    typeOf(payload) === "message" &&
    WRITTEN.has(at(payload, "event", "subtype")) &&
    !isEdited(payload) &&
    !isByBot(payload) &&
    channelTypes.includes(String(at(payload, "event", "channel_type")));

const text: Read = (payload) => {
  const said = at(payload, "event", "text");
  return typeof said === "string" ? [said] : undefined;
};

/** In lower case, what has no digit is rather the name of a channel such as `general`. */
const inChannel = (read: Read) =>
  only(
    name(read),
    /^(?:[CGD][A-Z\d]+|[cgd](?=[a-z]*\d)[a-z\d]{8,})$/,
    "the ids of channels, for example C024BE91L",
  );
const byUser = (read: Read) =>
  only(
    name(read),
    /^(?:[UW][A-Z\d]+|[uw](?=[a-z]*\d)[a-z\d]{8,})$/,
    "the ids of users, for example U012AB3CD",
  );

const message = {
  channel_ids: inChannel(one("event", "channel")),
  user_ids: byUser(one("event", "user")),
  keywords: keyword(text),
};

/** A filter may write the name of an emoji with its colons. */
const emoji: Read = (payload) => {
  const reaction = at(payload, "event", "reaction");
  return typeof reaction === "string" ? [reaction, `:${reaction}:`] : undefined;
};

/** https://docs.slack.dev/reference/events */
const EVENTS: Readonly<Record<string, ProviderEvent>> = {
  app_mention: {
    happened: ({ payload }) => typeOf(payload) === "app_mention" && !isEdited(payload) && !isByBot(payload),
    means: "app_mention of a new message, not written by a bot",
    fields: message,
  },
  message_posted: {
    happened: isMessageIn("channel", "group"),
    means: "message in a channel, not written by a bot",
    fields: message,
  },
  message_dm: {
    happened: isMessageIn("im", "mpim"),
    means: "direct message, not written by a bot",
    fields: message,
  },
  message_im: { happened: isMessageIn("im"), means: "message.im, not written by a bot", fields: message },
  message_mpim: {
    happened: isMessageIn("mpim"),
    means: "message.mpim, not written by a bot",
    fields: message,
  },
  reaction_added: {
    happened: ({ payload }) => typeOf(payload) === "reaction_added",
    means: "reaction_added",
    fields: {
      channel_ids: inChannel(one("event", "item", "channel")),
      user_ids: message.user_ids,
      emojis: only(
        name(emoji),
        /^(:?)[^\s:\p{Extended_Pictographic}]+(?:::[^\s:]+)?\1$/u,
        "the names of emojis, for example ticket",
      ),
      item_user_ids: byUser(one("event", "item_user")),
    },
  },
  member_joined_channel: {
    happened: ({ payload }) => typeOf(payload) === "member_joined_channel",
    means: "member_joined_channel",
    fields: { channel_ids: message.channel_ids, user_ids: message.user_ids },
  },
};

export const SLACK: EventProvider = {
  title: "Slack",
  saidAt: "event.type",
  describe({ payload }) {
    const type = String(typeOf(payload) ?? "a delivery without an event");
    return isEdited(payload) ? `${type} of an edited message` : type;
  },
  titles: ["{{event.text}}"],
  events: EVENTS,
  /** A message that mentions the app comes as `app_mention` and as `message`; in its channel, `ts` is its id. */
  happeningOf(payload) {
    const [channel, ts] = [at(payload, "event", "channel"), at(payload, "event", "ts")];
    const isMessage = typeOf(payload) === "message" || typeOf(payload) === "app_mention";
    return isMessage && typeof channel === "string" && typeof ts === "string"
      ? `${channel}/${ts}`
      : undefined;
  },
};
