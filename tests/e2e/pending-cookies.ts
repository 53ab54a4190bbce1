import type { BrowserContext } from "@playwright/test";
import { createCookie } from "react-router";

/** Returns the cookies of forms that are under way, by name, in the format of app/auth/pending-cookies.ts. */
export const encodePendingCookies = (pending: Record<string, object>) =>
  Promise.all(
    Object.entries(pending).map(async ([name, value]) => {
      const [pair = ""] = (await createCookie(name).serialize(value)).split(";");
      return { name, value: pair.slice(name.length + 1) };
    }),
  );

/** Puts these cookies into a browser. */
export async function addPendingCookies(context: BrowserContext, url: string, pending: Record<string, object>) {
  await context.addCookies((await encodePendingCookies(pending)).map(({ name, value }) => ({ name, value, url })));
}
