import type { BrowserContext } from "@playwright/test";
import { createCookie } from "react-router";

/** Puts what has begun and is not done yet into a browser, as app/auth/pending-cookies.ts keeps it, by cookie name. */
export async function keepPending(context: BrowserContext, url: string, pending: Record<string, object>) {
  for (const [name, value] of Object.entries(pending)) {
    const [pair = ""] = (await createCookie(name).serialize(value)).split(";");
    await context.addCookies([{ name, value: pair.slice(name.length + 1), url }]);
  }
}
