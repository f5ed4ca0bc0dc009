/** What someone has to know to have a provider send here. */
export interface Provider {
  label: string;
  /** Who makes the signing secret: this server unless one is entered, or the provider. */
  secret: "made" | "provider";
  /** Where the URL and the secret go, or come from. */
  setUp: string;
  /** The provider's own page about it. */
  docs?: string;
}

/** The provider schemes by their names. The first are those that are asked for most. */
export const PROVIDERS: Readonly<Record<string, Provider>> = {
  github: {
    label: "GitHub",
    secret: "made",
    setUp:
      "In the settings of the repository or organization, under Webhooks, add a webhook with the URL and the secret. Choose content type application/json.",
    docs: "https://docs.github.com/en/webhooks/using-webhooks/creating-webhooks",
  },
  stripe: {
    label: "Stripe",
    secret: "provider",
    setUp:
      "In Stripe's Workbench, under Webhooks, add a destination with the URL. Stripe then shows its signing secret (whsec_…).",
    docs: "https://docs.stripe.com/webhooks",
  },
  standard_webhooks: {
    label: "Standard Webhooks",
    secret: "made",
    setUp: "Give the sender the URL and the secret (whsec_…). Svix senders sign the same way.",
    docs: "https://www.standardwebhooks.com",
  },
  slack: {
    label: "Slack",
    secret: "provider",
    setUp:
      "Find the signing secret in the app's Basic Information. Enter it here first: Slack verifies the URL as soon as you enter it under Event Subscriptions.",
    docs: "https://docs.slack.dev/authentication/verifying-requests-from-slack",
  },
  sentry: {
    label: "Sentry",
    secret: "provider",
    setUp:
      "Create an internal integration with the URL as its webhook URL. Its client secret is the signing secret.",
    docs: "https://docs.sentry.io/organization/integrations/integration-platform/webhooks/",
  },
  gitlab: {
    label: "GitLab",
    secret: "made",
    setUp:
      "In the settings of the project or group, under Webhooks, add a webhook with the URL, and enter the secret as its secret token.",
    docs: "https://docs.gitlab.com/user/project/integrations/webhooks/",
  },
  linear: {
    label: "Linear",
    secret: "provider",
    setUp:
      "In the settings, under API, create a webhook with the URL. The webhook's page shows the signing secret.",
    docs: "https://linear.app/developers/webhooks",
  },
  pagerduty: {
    label: "PagerDuty",
    secret: "provider",
    setUp:
      "Under Integrations, Generic Webhooks (v3), add a webhook with the URL. PagerDuty shows the secret only once, when you add the webhook.",
    docs: "https://developer.pagerduty.com/docs/webhooks-overview",
  },
  vercel: {
    label: "Vercel",
    secret: "provider",
    setUp:
      "In the settings of the team, under Webhooks, create a webhook with the URL. Vercel shows the secret only once, when you create the webhook.",
    docs: "https://vercel.com/docs/webhooks",
  },
  custom: {
    label: "Custom scheme",
    secret: "made",
    setUp: "Give the sender the URL and the secret. It must sign requests as the scheme defines.",
  },
};

/** A provider by the name of its scheme; a scheme that this page does not know goes by its name. */
export function providerOf(scheme: string): Provider {
  return PROVIDERS[scheme] ?? { label: scheme, secret: "provider", setUp: "Give the URL to the provider." };
}
