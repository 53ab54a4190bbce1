import type { Page } from "@playwright/test";

/** A setting that turns measuring on. */
export const MEASURING = { GTM_ID: "GTM-TEST1" };
export const CONTAINER = "https://www.googletagmanager.com/gtm.js?id=GTM-TEST1";

/** The question whether we may measure. */
export const strip = (page: Page) => page.getByRole("region", { name: "May we measure?" });

/** Stands in for the tag container, and records every request to another site. */
export async function serveContainer(page: Page) {
  const asked: string[] = [];
  await page.route(/^https:/, async (route) => {
    asked.push(route.request().url());
    await route.fulfill({ contentType: "text/javascript", body: "document.documentElement.dataset.gtm = 'loaded';" });
  });
  return asked;
}

/** Returns what the container was sent, without its own first entry. */
export const readEvents = (page: Page) =>
  page.evaluate(() => window.dataLayer?.filter((entry) => !("gtm.start" in entry)) ?? "nothing");
