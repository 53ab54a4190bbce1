import { expect, test } from "vitest";
import { RouterContextProvider } from "react-router";
import { outcomeContext } from "../outcome/outcome.ts";
import { measuringContext, queueEvent, openMeasuring } from "./measuring.ts";

const LANDING = "https://nodebeat.test/auth?utm_source=news";
const GRANTED = "analytics_consent=granted";

function answer(options: { url?: string; cookies?: string; method?: string; gtmId?: string | undefined }) {
  const { url = LANDING, cookies = "", method = "GET" } = options;
  const gtmId = "gtmId" in options ? options.gtmId : "GTM-TEST1";
  const request = new Request(url, { method, headers: { Cookie: cookies } });
  return openMeasuring(request, gtmId);
}

/** Returns what a response reports about a claim. */
function note(options: Parameters<typeof answer>[0]) {
  const context = new RouterContextProvider();
  context.set(outcomeContext, new Map());
  context.set(measuringContext, answer({ method: "POST", ...options }));
  queueEvent(context, { event: "reward_claimed", reward_id: "three friends; Path=/evil" });
  return Array.from(context.get(outcomeContext).values());
}

// specification: 7.6
test("keeps the campaign of a landing for the session, on any page", () => {
  expect(answer({}).utmCookie).toEqual("utm=utm_source%3Dnews; Path=/; SameSite=Lax");
  expect(answer({ url: "https://nodebeat.test/dashboard.data?utm_source=news" }).utmCookie).toBeDefined();
  expect(answer({ url: "https://nodebeat.test/auth" }).utmCookie).toBeUndefined();
  expect(answer({ method: "POST" }).utmCookie).toBeUndefined();
});

test("without configuration, keeps nothing even with consent", () => {
  expect(answer({ gtmId: undefined }).utmCookie).toBeUndefined();
  expect(answer({ gtmId: undefined, cookies: GRANTED }).utmCookie).toBeUndefined();
});

test("does not measure a page with a mailed code in its address, or the response to its form", () => {
  const url = "https://nodebeat.test/node-mail?code=0192f0c1.nbm_code";
  const idOf = (method: string, at = url) => answer({ url: at, method, cookies: GRANTED }).gtmId;
  expect([idOf("GET"), idOf("POST")]).toEqual([undefined, undefined]);
  expect(idOf("GET", "https://nodebeat.test/node-mail")).toBe("GTM-TEST1");
});

test("if consent is denied, keeps no campaign and deletes the one that was kept", () => {
  expect(answer({ cookies: "analytics_consent=denied" }).utmCookie).toBeUndefined();
  expect(answer({ cookies: "analytics_consent=denied; utm=utm_source%3Dnews" }).utmCookie).toEqual(
    "utm=; Path=/; SameSite=Lax; Max-Age=0",
  );
});

test("passes an event to the next page only with consent", () => {
  expect(note({ cookies: GRANTED })).toEqual([
    expect.stringMatching(
      /^event_analytics_\w+=reward_claimed\.three%20friends%3B%20Path%3D%2Fevil; Path=\/; SameSite/,
    ),
  ]);
  expect(note({ cookies: "analytics_consent=maybe" })).toEqual([]);
  expect(note({ cookies: GRANTED, gtmId: undefined })).toEqual([]);
});
