import { afterEach, expect, test, vi } from "vitest";
import { expiredCookie, readCookie, serializeCookie } from "./plain-cookie.ts";

afterEach(() => void vi.unstubAllGlobals());

test("finds a cookie by its whole name", () => {
  expect(readCookie("xtheme=light; theme=dark; theme2=light", "theme")).toBe("dark");
  expect(readCookie("", "theme")).toBeUndefined();
  expect(readCookie("theme=", "theme")).toBe("");
});

test("a cookie is not sent from other sites, and ends with the browser session unless it has an age", () => {
  expect(serializeCookie("theme", "dark")).toBe("theme=dark; Path=/; SameSite=Lax");
  expect(serializeCookie("note", "tos", { maxAge: 60, httpOnly: true })).toBe(
    "note=tos; Path=/; HttpOnly; SameSite=Lax; Max-Age=60",
  );
  expect(expiredCookie("note")).toBe("note=; Path=/; SameSite=Lax; Max-Age=0");
});

test("a cookie set on an HTTPS page is sent over HTTPS only", () => {
  vi.stubGlobal("location", new URL("https://nodebeat.test/dashboard"));
  expect(serializeCookie("theme", "dark")).toMatch(/; Secure$/);
  vi.stubGlobal("location", new URL("http://nodebeat.test/dashboard"));
  expect(serializeCookie("theme", "dark")).not.toContain("Secure");
});
