import { expect, test } from "vitest";
import { mobileContinuedCookie, readPreferences, sidebarCookie, themeCookie } from "./preferences.ts";

const http = new URL("http://nodebeat.test/dashboard");
const withCookie = (cookie: string) => new Request(http, { headers: { Cookie: cookie } });

// specification: 1.12, 3.23
test("a new visitor gets the light theme, an expanded sidebar and the small-screen card", () => {
  expect(readPreferences(new Request(http))).toEqual({ theme: "light", sidebarOpen: true, mobileContinued: false });
});

test("reads the preference cookies among other cookies", () => {
  const request = withCookie("session=abc; theme=dark; sidebar_state=false; mobile_continued=true");
  expect(readPreferences(request)).toEqual({ theme: "dark", sidebarOpen: false, mobileContinued: true });
});

test("ignores invalid values in preference cookies", () => {
  const request = withCookie("theme=<script>; sidebar_state=maybe; mobile_continued=1; xtheme=dark");
  expect(readPreferences(request)).toEqual({ theme: "light", sidebarOpen: true, mobileContinued: false });
});

test("reads back the preference cookies that it writes", () => {
  const cookies = [themeCookie("dark"), sidebarCookie(false), mobileContinuedCookie()];
  const header = cookies.map((cookie) => cookie.split(";")[0]).join("; ");
  expect(readPreferences(withCookie(header))).toEqual({ theme: "dark", sidebarOpen: false, mobileContinued: true });
});

// specification: 2.32, 9.13
test("remembers the sidebar for seven days, and the small-screen choice for the session", () => {
  expect(sidebarCookie(true)).toBe("sidebar_state=true; Path=/; SameSite=Lax; Max-Age=604800");
  expect(mobileContinuedCookie()).toBe("mobile_continued=true; Path=/; SameSite=Lax");
});
