import { expect, test } from "vitest";
import { mobileContinuedCookie, readPreferences, sidebarCookie, themeCookie } from "./preferences.ts";

const http = new URL("http://nodebeat.test/dashboard");
const withCookie = (cookie: string) => new Request(http, { headers: { Cookie: cookie } });

// specification: 1.12, 3.23
test("a new reader has the light theme, an expanded sidebar, and the card of small screens", () => {
  expect(readPreferences(new Request(http))).toEqual({ theme: "light", sidebarOpen: true, mobileContinued: false });
});

test("what the cookies say is read, among other cookies", () => {
  const request = withCookie("session=abc; theme=dark; sidebar_state=false; mobile_continued=true");
  expect(readPreferences(request)).toEqual({ theme: "dark", sidebarOpen: false, mobileContinued: true });
});

test("what makes no sense counts as absent", () => {
  const request = withCookie("theme=<script>; sidebar_state=maybe; mobile_continued=1; xtheme=dark");
  expect(readPreferences(request)).toEqual({ theme: "light", sidebarOpen: true, mobileContinued: false });
});

test("what is written is read back", () => {
  const cookies = [themeCookie("dark"), sidebarCookie(false), mobileContinuedCookie()];
  const header = cookies.map((cookie) => cookie.split(";")[0]).join("; ");
  expect(readPreferences(withCookie(header))).toEqual({ theme: "dark", sidebarOpen: false, mobileContinued: true });
});

// specification: 2.32, 9.13
test("the sidebar is remembered for seven days, going on for the session", () => {
  expect(sidebarCookie(true)).toBe("sidebar_state=true; Path=/; SameSite=Lax; Max-Age=604800");
  expect(mobileContinuedCookie()).toBe("mobile_continued=true; Path=/; SameSite=Lax");
});
