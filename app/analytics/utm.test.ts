import * as fc from "fast-check";
import { expect, test } from "vitest";
import { findUtm, readUtm, utmCookie } from "./utm.ts";

const at = (search: string) => new URL(`https://nodebeat.test/auth${search}`);
const cookieOf = (line: string) => line.split("; ")[0] ?? "";

// specification: 7.6
test("reads only the five UTM parameters from an address", () => {
  expect(findUtm(at("?utm_source=news&utm_medium=mail&utm_campaign=spring&utm_term=node&utm_content=top&a=b"))).toEqual(
    {
      utm_source: "news",
      utm_medium: "mail",
      utm_campaign: "spring",
      utm_term: "node",
      utm_content: "top",
    },
  );
  expect(findUtm(at("?utm_source=news&utm_id=7&utm_term="))).toEqual({ utm_source: "news" });
  expect(findUtm(at("?referralCode=K7QX2"))).toBeNull();
});

test("a campaign survives the round trip through its cookie, whatever its name", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 }),
      fc.string({ minLength: 1 }),
      (source, term) => {
        const url = at("");
        url.searchParams.set("utm_source", source);
        url.searchParams.set("utm_term", term);
        const utm = findUtm(url) ?? {};
        const cookie = cookieOf(utmCookie(utm));
        expect(cookie).toMatch(/^utm=[\w%.*~!'()-]+$/);
        expect(readUtm(`theme=dark; ${cookie}; other=1`)).toEqual(utm);
      },
    ),
  );
});

test.each(["x", "!", "ж", "日", "😀"])(
  "all five parameters fit into one cookie, however often each repeats %s",
  (letter) => {
    const names = ["source", "medium", "campaign", "term", "content"];
    const utm = findUtm(at(`?${names.map((name) => `utm_${name}=a${letter.repeat(2000)}`).join("&")}`)) ?? {};
    const cookie = utmCookie(utm);
    expect(cookie.length).toBeLessThan(4000);
    const kept = Object.values(readUtm(cookieOf(cookie)));
    expect(kept).toHaveLength(5);
    for (const value of kept) expect(value).toMatch(new RegExp(`^a${letter}{20,}$`, "u"));
  },
);

test.each(["", "theme=dark", "utm=", "utm=%", "utm=%E0%A4%A", "utm=nonsense"])(
  "finds no campaign in the cookies: %s",
  (cookies) => {
    expect(readUtm(cookies)).toEqual({});
  },
);
