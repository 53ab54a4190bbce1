import { expect, test } from "vitest";
import { measuringCookies, openMeasuring } from "./measuring.ts";

const LANDING = "https://nodebeat.test/auth?utm_source=news";
const GRANTED = "analytics_consent=granted";

function answer(options: { url?: string; cookies?: string; method?: string; gtmId?: string | undefined }) {
  const { url = LANDING, cookies = "", method = "GET" } = options;
  const gtmId = "gtmId" in options ? options.gtmId : "GTM-TEST1";
  const request = new Request(url, { method, headers: { Cookie: cookies } });
  return measuringCookies({ ...openMeasuring(request, gtmId), event: { event: "login" } });
}

test("the campaign of a landing is kept for the session, on whatever page that is", () => {
  expect(answer({})).toEqual(["utm=utm_source%3Dnews; Path=/; SameSite=Lax"]);
  expect(answer({ url: "https://nodebeat.test/dashboard.data?utm_source=news" })).toHaveLength(1);
  expect(answer({ url: "https://nodebeat.test/auth" })).toEqual([]);
  expect(answer({ method: "POST" })).toEqual([]);
});

test("without configuration nothing is kept, whatever was allowed", () => {
  expect(answer({ gtmId: undefined })).toEqual([]);
  expect(answer({ gtmId: undefined, cookies: GRANTED })).toEqual([]);
});

test("who does not want to be measured has no campaign, and loses the one that was kept", () => {
  expect(answer({ cookies: "analytics_consent=denied" })).toEqual([]);
  expect(answer({ cookies: "analytics_consent=denied; utm=utm_source%3Dnews" })).toEqual([
    "utm=; Path=/; SameSite=Lax; Max-Age=0",
  ]);
});

test("an event is handed to the next page with consent alone", () => {
  expect(answer({ method: "POST", cookies: GRANTED })).toEqual([expect.stringMatching(/^action_event=/)]);
  expect(answer({ method: "POST", cookies: "analytics_consent=maybe" })).toEqual([]);
});
