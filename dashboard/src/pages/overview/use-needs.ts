import { useQueries, useQuery } from "@tanstack/react-query";
import type { Models, Run } from "../../api/models.ts";
import { latestRunsQuery, webhookActivityQuery, webhooksQuery, whoamiQuery } from "../../api/queries.ts";
import type { Tone } from "../../parts/chip.tsx";
import { counted } from "../../parts/counted.ts";
import { factoryPath } from "../../parts/factory-path.ts";
import { timeSince } from "../../parts/time/time-text.ts";
import { refusalStreak, silence } from "./traffic.ts";

/** Something that waits for a person. */
export interface Need {
  href: string;
  tone: Tone;
  word: string;
  text: string;
  /** What an agent asks. */
  question?: string;
  /** Since when it waits. */
  since?: string;
}

/** So many refusals in a row are no accident. */
const STREAK = 3;
const BLOCKED = { state: ["BLOCKED" as const], limit: 20 };

/** What waits for a person in any factory: agents that ask something first, then the gravest. */
export function useNeeds(factories: readonly Models["Factory"][]): Need[] {
  const blocked = useQuery(latestRunsQuery(BLOCKED));
  const lists = useQueries({ queries: factories.map(({ name }) => webhooksQuery(name)) });
  const webhooks = lists.flatMap(({ data }) => data ?? []);
  const { data: activity = [] } = useQuery(webhookActivityQuery(undefined));
  const activityOf = new Map(activity.map((each) => [each.uid, each]));
  const { data: who } = useQuery(whoamiQuery);
  return [
    ...(blocked.data ?? []).toSorted((one, other) => urgencyOf(one) - urgencyOf(other)).map(blockedRun),
    ...factories.flatMap(failedSync),
    ...(who?.server_notices ?? []).map(serverNotice),
    ...webhooks.flatMap((webhook) => webhookNeeds(webhook, activityOf.get(webhook.uid))),
  ];
}

function serverNotice(text: string): Need {
  return { href: "/settings", tone: "amber", word: "Settings", text };
}

function failedSync({ name, sync }: Models["Factory"]): Need[] {
  const href = factoryPath(name, "revisions");
  if (sync.status === "suspended") {
    return [
      {
        href,
        tone: "amber",
        word: "Suspended",
        text: `${name} does not sync with its source until it is resumed`,
      },
    ];
  }
  if (sync.status !== "failed") return [];
  const errors = sync.problems.filter(({ severity }) => severity === "error").length;
  const what = sync.attempted_revision?.slice(0, 10) ?? "its source";
  return [
    {
      href,
      tone: "red",
      word: "Failed",
      text: `${name} could not apply ${what}: ${counted(errors, "problem")}`,
      ...(sync.attempted_at === null ? {} : { since: sync.attempted_at }),
    },
  ];
}

/** Its place among questions: those come first whose agents need an answer soon. */
function urgencyOf({ question }: Run): number {
  return ["high", "normal", "low"].indexOf(question?.urgency ?? "normal");
}

function blockedRun({ run_id, title, status_message, updated_at, question }: Run): Need {
  const isUrgent = question?.urgency === "high";
  return {
    href: `/runs/${run_id}`,
    tone: isUrgent ? "red" : "amber",
    word: isUrgent ? "Urgent" : "Needs an answer",
    text: title || run_id,
    ...(status_message ? { question: status_message.message } : {}),
    since: updated_at,
  };
}

function webhookNeeds(
  webhook: Models["Webhook"],
  { latest, refuses_all }: Pick<Models["WebhookActivity"], "latest" | "refuses_all"> = {
    latest: [],
    refuses_all: false,
  },
): Need[] {
  const { factory, uid, name, status, secret_name, has_newer_secret } = webhook;
  const href = factoryPath(factory, "webhooks", uid);
  const need = (tone: Tone, word: string, text: string): Need => ({ href, tone, word, text });
  if (status === "awaiting_secret") {
    return [
      need(
        "amber",
        "Awaiting secret",
        `${name} rejects every delivery until the provider's signing secret is entered`,
      ),
    ];
  }
  if (status !== "active") return [];
  const needs: Need[] = [];
  if (has_newer_secret) {
    needs.push(
      need(
        "amber",
        "Newer secret",
        `${name} uses the old value of ${secret_name} until the next revision is applied`,
      ),
    );
  }
  const streak = refusalStreak(latest);
  const reason = latest[0]?.reason ?? "no reason recorded";
  if (refuses_all) {
    const text = `${name} rejected the last ${latest.length} deliveries within an hour. The latest: ${reason}`;
    needs.push(need("red", "Refuses all", text));
  } else if (streak >= STREAK) {
    needs.push(
      need("red", "Rejected (auth)", `${name} rejected the last ${streak} deliveries. The latest: ${reason}`),
    );
  }
  const silentSince = silence(latest, Date.now());
  if (silentSince !== undefined) {
    needs.push(
      need(
        "amber",
        "Silent",
        `${name} received its last delivery ${timeSince(silentSince)}, a much longer gap than usual`,
      ),
    );
  }
  return needs;
}
