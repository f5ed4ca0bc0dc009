import { expect, test } from "vitest";
import { tabTitle } from "../../dashboard/src/parts/tab-title.ts";

test.each([
  ["Overview", "/", "Overview · millrace"],
  ["Webhooks", "/factories/acme/webhooks", "Webhooks · acme · millrace"],
  ["ci", "/factories/acme%20inc/webhooks/Tz0yq3", "ci · Webhook · acme inc · millrace"],
  ["Edit triage", "/factories/acme/automations/triage/edit", "Edit triage · Automation · acme · millrace"],
  ["Review the cart", "/runs/01a1fe22", "Review the cart · Run · millrace"],
  ["Run", "/runs/01a1fe22", "Run · millrace"],
])("the tab of the page %s at %s shows %s", (title, path, shown) => {
  expect(tabTitle(title, path)).toBe(shown);
});
