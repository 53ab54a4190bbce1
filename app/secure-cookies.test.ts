import { RouterContextProvider } from "react-router";
import { expect, test } from "vitest";
import { completeAnswer, createContextFiller } from "./page/context.ts";
import { AUTH_EVENT } from "./api/auth-event.ts";
import { readNotes, say } from "./outcome/outcome.ts";
import { TOAST } from "./outcome/toast-words.ts";
import { acceptedCookie } from "./legal/legal-flags.ts";
import { mobileContinuedCookie, sidebarCookie, themeCookie } from "./page/preferences.ts";

// As a proxy that ends TLS passes it on.
const inside = new URL("http://10.0.0.1:3000/dashboard?utm_source=letter");

/** Every cookie that an action or a loader sets, and what is added to the answer. */
async function answer(publicUrl: string) {
  const fill = createContextFiller({
    mode: "production",
    publicUrl,
    gtmId: "GTM-TEST",
    openEmbedded: () => () => Promise.reject(new Error("not asked")),
  });
  const context = new RouterContextProvider();
  await fill(context, new Request(inside), { log: { error: () => {}, info: () => {} }, clientAddress: "203.0.113.7" });
  say(context, AUTH_EVENT, "SIGNED_IN");
  say(context, TOAST, "account-kept");
  const lines = [
    ...readNotes("note_toast_1=account-kept").forget,
    acceptedCookie("tosAccepted", "member", true),
    themeCookie("dark"),
    sidebarCookie(false),
    mobileContinuedCookie(),
  ];
  const headers = lines.map((line): [string, string] => ["Set-Cookie", line]);
  return completeAnswer(context, new Response(null, { headers })).headers.getSetCookie();
}

test("every cookie of an answer is for https alone, once, where the product is reached over https", async () => {
  const cookies = await answer("https://nodebeat.test");
  expect(cookies).toHaveLength(8);
  for (const cookie of cookies) expect(cookie.match(/; Secure/g)).toHaveLength(1);
});

test("over http no cookie is, which browsers would refuse there", async () => {
  const cookies = await answer("http://nodebeat.test");
  expect(cookies).toHaveLength(8);
  for (const cookie of cookies) expect(cookie).not.toContain("Secure");
});
