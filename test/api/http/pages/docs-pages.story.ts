import { expect, test } from "vitest";
import { FF_CODES } from "../../../../src/definitions/problem.ts";
import { ERROR_CODES } from "../../../../src/errors/error.ts";
import { listAssets } from "../../../../src/platform/assets.ts";
import { openBrowser } from "../../../given/browser.ts";
import { onFinished } from "../../../given/cleanup.ts";
import { FACTORY } from "../../../given/definition.ts";
import { serving } from "../../../given/serving.ts";

const PHONE_WIDTH = 390;
/** https://www.w3.org/TR/WCAG22/#contrast-minimum */
const LEAST_CONTRAST = 4.5;

const DOCS = listAssets("docs").filter((path) => path.endsWith(".md"));
const ERRORS = [...Object.keys(ERROR_CODES), ...FF_CODES].map((code) => `errors/${code}`);

/** The width of the page that is shown, what makes it wider than the window, and the least contrast of its links. */
const LOOK = `(() => {
  const scrolls = (element) => element && (/auto|scroll/.test(getComputedStyle(element).overflowX) || scrolls(element.parentElement));
  const wide = [...document.querySelectorAll("main *")].filter(
    (element) => element.getBoundingClientRect().right > document.documentElement.clientWidth + 1 && !scrolls(element),
  );
  const channels = (color) => color.match(/[0-9.]+/g).slice(0, 3).map(Number);
  const luminance = (color) => {
    const [r, g, b] = channels(color).map((value) => value / 255).map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const { backgroundColor } = getComputedStyle(document.body);
  const background = luminance(backgroundColor);
  const contrast = (link) => {
    const [dark, light] = [luminance(getComputedStyle(link).color), background].sort((a, b) => a - b);
    return (light + 0.05) / (dark + 0.05);
  };
  return {
    width: document.documentElement.scrollWidth,
    wide: wide.slice(0, 3).map((element) => element.tagName + " " + element.textContent.slice(0, 60)),
    isOpaque: backgroundColor.startsWith("rgb("),
    contrast: Math.min(21, ...[...document.querySelectorAll("a[href]")].map(contrast)),
  };
})()`;

interface Look {
  width: number;
  wide: string[];
  isOpaque: boolean;
  contrast: number;
}

test("every page of the documentation and of errors fits a phone, and its links have contrast, dark and light", async () => {
  const { server } = await serving(FACTORY, {});
  const viewport = { width: PHONE_WIDTH, height: 844 };
  const context = await (await openBrowser()).newContext({ viewport, baseURL: server.url });
  onFinished(() => context.close());
  const page = await context.newPage();
  const faults: string[] = [];
  for (const path of ["errors", ...DOCS, ...ERRORS]) {
    const answer = await page.goto(`/${path}`);
    expect(answer?.status(), path).toBe(200);
    for (const colorScheme of ["dark", "light"] as const) {
      await page.emulateMedia({ colorScheme });
      const { width, wide, isOpaque, contrast } = await page.evaluate<Look>(LOOK);
      if (width > PHONE_WIDTH || wide.length > 0) faults.push(`${path} is ${width} wide: ${wide.join(", ")}`);
      if (!isOpaque || contrast < LEAST_CONTRAST)
        faults.push(`${path} has links of contrast ${contrast} (${colorScheme})`);
    }
  }
  expect(DOCS.length).toBeGreaterThan(100);
  expect(faults).toEqual([]);
});
