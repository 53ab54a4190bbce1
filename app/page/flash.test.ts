import { expect, test } from "vitest";
import { flash, FORGET_FLASH, readFlash } from "./flash.ts";

const sent = (line: string) => `theme=dark; ${line.split(";")[0] ?? ""}; other=1`;

test.each(["Saved.", 'Läuft; ja, 100 % = "gut" ✓', "<b>bold</b>"])("%s arrives as it was said", (text) => {
  expect(readFlash(sent(flash(text)))).toEqual({ text, tone: "success" });
  expect(readFlash(sent(flash(text, "error")))).toEqual({ text, tone: "error" });
});

test("it is for the next page alone, on this site", () => {
  expect(flash("Saved.")).toBe("flash=success.Saved.; Path=/; SameSite=Lax; Max-Age=60");
  expect(FORGET_FLASH).toBe("flash=; Path=/; SameSite=Lax; Max-Age=0");
});

test.each([
  "",
  "flash=",
  "flash=success.",
  "flash=shout.Saved",
  "flash=success.%E0%A4%A",
  "flash=Saved",
  "other=success.x",
])("%j says nothing", (cookies) => {
  expect(readFlash(cookies)).toBeNull();
});

test("it is cut to what a toast can hold", () => {
  expect(readFlash(sent(flash("x".repeat(2000))))?.text).toHaveLength(300);
});
