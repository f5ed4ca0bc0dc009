import { useQueries, useQuery } from "@tanstack/react-query";
import type { Models } from "../../api/client.ts";
import { latestRunsQuery, webhookActivityQuery, webhooksQuery, whoamiQuery } from "../../api/queries.ts";
import { factoryPath } from "../../frame/use-factory.ts";
import type { Tone } from "../../parts/chip.tsx";
import { counted } from "../../parts/counted.ts";
import { timeSince } from "../../parts/time-text.ts";
import { refusalStreak, silence } from "./traffic.ts";

/** Something that waits for a person. */
export interface Need {
  href: string;
  tone: Tone;
  word: string;
  text: string;
}

type Latest = Models["WebhookActivity"]["latest"];

/** So many refusals in a row are no accident. */
const STREAK = 3;
const BLOCKED = { state: ["BLOCKED" as const], limit: 20 };

/** What waits for a person in any factory, the gravest first. */
export function useNeeds(factories: readonly Models["Factory"][]): Need[] {
  const blocked = useQuery(latestRunsQuery(BLOCKED));
  const lists = useQueries({ queries: factories.map(({ name }) => webhooksQuery(name)) });
  const webhooks = lists.flatMap(({ data }) => data ?? []);
  const { data: activity = [] } = useQuery(webhookActivityQuery(undefined));
  const latestOf = new Map(activity.map(({ uid, latest }) => [uid, latest]));
  const { data: who } = useQuery(whoamiQuery);
  return [
    ...(who?.server_notices ?? []).map(serverNotice),
    ...factories.flatMap(failedSync),
    ...(blocked.data ?? []).map(blockedRun),
    ...webhooks.flatMap((webhook) => webhookNeeds(webhook, latestOf.get(webhook.uid) ?? [])),
  ];
}

function serverNotice(text: string): Need {
  return { href: "/settings", tone: "amber", word: "settings", text };
}

function failedSync({ name, sync }: Models["Factory"]): Need[] {
  const href = factoryPath(name, "revisions");
  if (sync.status === "suspended") {
    return [
      {
        href,
        tone: "amber",
        word: "suspended",
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
      word: "failed",
      text: `${name} could not apply ${what}: ${counted(errors, "problem")}`,
    },
  ];
}

function blockedRun({ run_id, title }: Models["RunItem"]): Need {
  return { href: `/runs/${run_id}`, tone: "amber", word: "BLOCKED", text: title || run_id };
}

function webhookNeeds(webhook: Models["Webhook"], latest: Latest): Need[] {
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
  if (streak >= STREAK) {
    needs.push(
      need(
        "red",
        "Rejected (auth)",
        `${name} rejected the last ${streak} deliveries. The latest: ${latest[0]?.reason ?? "no reason recorded"}`,
      ),
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
