import { expect, test } from "vitest";
import { remedyOnPage } from "../../dashboard/src/parts/remedy-on-page.ts";

const listing = "`millrace runs list` shows the runs that the key can access.";

test.each([
  [
    401,
    "Use an API key; an admin can create one with `millrace keys create`.",
    /^Sign in with another API key\./,
  ],
  [
    403,
    "Use another key; an admin can create one with `millrace keys create`.",
    /^Sign in with an API key that may/,
  ],
  [404, listing, /^It may have been deleted or renamed/],
  [
    409,
    "Cancel it with `millrace runs cancel x`.",
    /^In a terminal: Cancel it with `millrace runs cancel x`\.$/,
  ],
  [404, "Specify the full hash.", /^Specify the full hash\.$/],
])("a page that meets a problem %i says what to do on the page: %s", (status, remedy, said) => {
  expect(remedyOnPage({ status, remedy })).toMatch(said);
});

test("a problem without a remedy gets none", () => {
  expect(remedyOnPage({ status: 404, remedy: undefined })).toBeUndefined();
});
