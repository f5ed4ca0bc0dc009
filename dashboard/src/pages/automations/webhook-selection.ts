interface Known {
  uid: string;
  name: string;
}

/** As far as this file reads it. */
interface Written {
  millrace?: unknown;
  filter?: unknown;
}

/** The webhooks that a trigger selects, by name: it may list names, uids or both. A uid of none stands for itself. */
export function selectedIn(trigger: Written, webhooks: readonly Known[]): string[] {
  const byUid = uidsIn(trigger).map((uid) => webhooks.find((webhook) => webhook.uid === uid)?.name ?? uid);
  return [...new Set([...namesIn(trigger), ...byUid])];
}

/**
 * What a trigger has to say to select webhooks of these names. What is listed by uid stays so; what is new is listed by name.
 * @returns the list of names; and that of uids, which only shrinks: nothing for one that is empty
 */
export function selectionOf(names: readonly string[], trigger: Written, webhooks: readonly Known[]) {
  const uids = uidsIn(trigger);
  const nameOf = (uid: string) => webhooks.find((webhook) => webhook.uid === uid)?.name ?? uid;
  const kept = uids.filter((uid) => names.includes(nameOf(uid)));
  const named = names.filter(
    (name) => namesIn(trigger).includes(name) || !kept.some((uid) => nameOf(uid) === name),
  );
  return {
    byName: named.length > 0 ? named : undefined,
    byUid: { isChanged: kept.length < uids.length, value: kept.length > 0 ? kept : undefined },
  };
}

function namesIn({ millrace }: Written): string[] {
  return textsIn((millrace as { webhooks?: unknown } | null | undefined)?.webhooks);
}

function uidsIn({ filter }: Written): string[] {
  const listed = (filter as { webhook_ids?: unknown } | null | undefined)?.webhook_ids;
  return textsIn(Array.isArray(listed) ? listed : (listed as { in?: unknown } | null | undefined)?.in);
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}
