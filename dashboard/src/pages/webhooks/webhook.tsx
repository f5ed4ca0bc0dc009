import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useParams } from "wouter";
import type { Models } from "../../api/client.ts";
import { webhookQuery } from "../../api/queries.ts";
import type { Tagged } from "../../api/tagged.ts";
import { PauseButton } from "../../frame/pause-button.tsx";
import { useFactory } from "../../frame/use-factory.ts";
import { useMay, useMayEdit } from "../../frame/use-role.ts";
import { Button } from "../../parts/button.tsx";
import { Chip } from "../../parts/chip.tsx";
import { Page } from "../../parts/page.tsx";
import { ReadOnlyNote } from "../../parts/read-only-note.tsx";
import { Loaded } from "../../parts/tables/loaded.tsx";
import { WEBHOOK_TONES, WEBHOOK_WORDS } from "../../parts/tones.ts";
import { DeleteDeliveries } from "./delete-deliveries.tsx";
import { DeleteWebhook } from "./delete-webhook.tsx";
import { DeliveryIdHeader } from "./delivery-id-header.tsx";
import { EnabledSwitch } from "./enabled-switch.tsx";
import { FinishSetup } from "./finish-setup.tsx";
import { Ingress } from "./ingress.tsx";
import { PreviousSecret } from "./previous-secret.tsx";
import { RecentDeliveries } from "./recent-deliveries.tsx";
import { RotateSecret } from "./rotate-secret.tsx";
import { SelectedBy } from "./selected-by.tsx";
import { TestDelivery } from "./test-delivery.tsx";
import { WebhookActivity } from "./webhook-activity.tsx";

/** One webhook: how to reach it, and what has come. */
export function Webhook() {
  const { factory: name = "", uid = "" } = useParams<{ factory: string; uid: string }>();
  const query = useQuery(webhookQuery(name, uid));
  return (
    <Loaded query={query} title="Webhook">
      {(webhook) => <WebhookPage webhook={webhook} />}
    </Loaded>
  );
}

/** What is open over the page. */
type Opened = "test" | "rotate" | "delete" | "delete-deliveries" | "header";

function WebhookPage({ webhook }: { webhook: Tagged<Models["Webhook"]> }) {
  const { factory: name, status } = webhook;
  const { factory } = useFactory();
  const [opened, setOpened] = useState<Opened>();
  const close = () => setOpened(undefined);
  const mayOperate = useMay("operator");
  const mayAdminister = useMay("admin");
  const mayEdit = useMayEdit(factory) && status !== "deleted";
  const isFinishing = mayEdit && status === "awaiting_secret";
  return (
    <Page
      title={webhook.name}
      mark={<Chip tone={WEBHOOK_TONES[status]}>{WEBHOOK_WORDS[status]}</Chip>}
      destructive={
        <>
          {mayEdit && (
            <Button kind="danger" onPress={() => setOpened("delete")}>
              Delete
            </Button>
          )}
          {mayAdminister && (
            <Button kind="danger" onPress={() => setOpened("delete-deliveries")}>
              Delete deliveries
            </Button>
          )}
        </>
      }
      actions={
        <>
          {mayEdit && !isFinishing && <Button onPress={() => setOpened("rotate")}>Rotate secret</Button>}
          {status !== "deleted" && (
            <PauseButton what={{ factory: name, webhook: webhook.uid }} name={webhook.name} />
          )}
          {mayOperate && status === "active" && (
            <Button kind="main" onPress={() => setOpened("test")}>
              Send a test delivery
            </Button>
          )}
        </>
      }
    >
      <ReadOnlyNote factory={factory} path={webhook.defined_in.path} />
      {isFinishing && <FinishSetup webhook={webhook} />}
      <Ingress
        webhook={webhook}
        hasInstructions={status !== "deleted" && !isFinishing}
        enabledSwitch={mayEdit && <EnabledSwitch webhook={webhook} />}
        secretHint={factory && secretHint(webhook, factory.mode)}
        headerAction={
          mayEdit && (
            <Button kind="quiet" isSmall onPress={() => setOpened("header")}>
              Change
            </Button>
          )
        }
      />
      <PreviousSecret webhook={webhook} mayEnd={mayEdit} />
      {status !== "deleted" && <WebhookActivity webhook={webhook} />}
      <RecentDeliveries factory={name} webhook={webhook} />
      <SelectedBy factory={name} webhook={webhook} />
      {opened === "test" && <TestDelivery webhook={webhook} onClose={close} />}
      {opened === "rotate" && <RotateSecret webhook={webhook} onClose={close} />}
      {opened === "delete" && <DeleteWebhook webhook={webhook} onClose={close} />}
      {opened === "delete-deliveries" && <DeleteDeliveries webhook={webhook} onClose={close} />}
      {opened === "header" && <DeliveryIdHeader webhook={webhook} onClose={close} />}
    </Page>
  );
}

/** What has to be known of its secret; nothing where the page itself rotates it. */
function secretHint(
  { has_newer_secret, status }: Models["Webhook"],
  mode: Models["Factory"]["mode"],
): string | undefined {
  if (status === "awaiting_secret") return "It has no value yet: senders get 404 until an admin enters one.";
  if (has_newer_secret) return "It has a newer value, which takes effect with the next revision.";
  if (mode === "repository") return "A new value takes effect with the next commit that is applied.";
  return mode === "folder" ? "A new value takes effect with the next sync." : undefined;
}
