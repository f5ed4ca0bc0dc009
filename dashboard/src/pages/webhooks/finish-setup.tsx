import { useState } from "react";
import { type Models, millrace } from "../../api/client.ts";
import { announce } from "../../parts/announcer.tsx";
import { Button } from "../../parts/button.tsx";
import { Actions } from "../../parts/forms/dialog.tsx";
import { Field } from "../../parts/forms/field.tsx";
import { Form } from "../../parts/forms/form.tsx";
import { Section } from "../../parts/page.tsx";
import { ProblemNotice } from "../../parts/problem-notice.tsx";
import { CopyBlock } from "../../parts/text/copyable.tsx";
import { useAction } from "../../parts/use-action.ts";
import { ProviderSteps } from "./provider-steps.tsx";
import { providerOf } from "./providers.ts";
import { refreshWebhooks } from "./refresh-webhooks.ts";
import styles from "./webhook.module.css";

/** The second step of a webhook whose provider shows its signing secret only after it has the URL. */
export function FinishSetup({ webhook }: { webhook: Models["Webhook"] }) {
  const { factory, uid, name, url, signature_scheme } = webhook;
  const [secret, setSecret] = useState("");
  const finish = useAction({
    send: (once) => millrace.webhooks.rotateSecret(factory, uid, { secret }, once),
    onDone: async () => {
      await refreshWebhooks(factory);
      announce(`${name} accepts deliveries.`);
    },
  });
  const { label } = providerOf(signature_scheme ?? "");
  return (
    <Section title="Finish webhook setup">
      <ol className={styles.steps}>
        <li>
          <h3>1. Give this URL to {label}</h3>
          <CopyBlock text={url} what="the URL" />
          <ProviderSteps scheme={signature_scheme ?? ""} />
        </li>
        <li>
          <h3>2. Enter the signing secret that {label} shows</h3>
          <Form onSubmit={() => secret !== "" && finish.run()}>
            <Field
              label="Provider secret"
              type="password"
              isMono
              autoComplete="off"
              value={secret}
              onChange={setSecret}
              hint="Senders get 404 until it is entered. It cannot be read again."
            />
            {finish.error && <ProblemNotice error={finish.error} />}
            <Actions>
              <Button kind="main" type="submit" isPending={finish.isPending} isDisabled={secret === ""}>
                Finish webhook setup
              </Button>
            </Actions>
          </Form>
        </li>
      </ol>
    </Section>
  );
}
