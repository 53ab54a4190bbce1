import { RouterContextProvider } from "react-router";
import { afterEach, expect, test, vi } from "vitest";
import { listCookies } from "../cookies/plain-cookie.ts";
import { outcomeCookie } from "./outcome-cookie.ts";
import {
  defineOutcome,
  listEvents,
  outcomeContext,
  pickOutcomes,
  readNotes,
  leaveOutcome,
  consumeEvents,
  consumeNotes,
  type Outcome,
} from "./outcome.ts";

const CLAIM = defineOutcome("note", "claim", { made: true, refused: true });
const TABS = defineOutcome("event", "tabs", { SIGNED_IN: true, SIGNED_OUT: true });

afterEach(() => void vi.unstubAllGlobals());

/** Returns the cookies of a response that has said this. */
function answer(...said: [outcome: Outcome, word: string, about?: string][]): string[] {
  const context = new RouterContextProvider();
  context.set(outcomeContext, new Map());
  for (const [outcome, word, about] of said) leaveOutcome(context, outcome, word, about);
  return Array.from(context.get(outcomeContext).values());
}

test("makes unique cookie names without crypto.randomUUID, which insecure pages lack", () => {
  vi.stubGlobal("crypto", { getRandomValues: crypto.getRandomValues.bind(crypto) });
  const names = [outcomeCookie(CLAIM, "made"), outcomeCookie(CLAIM, "made")].map(({ name }) => name);
  for (const name of names) expect(name).toMatch(/^note_claim_[\da-f]{8}$/);
  expect(names[0]).not.toBe(names[1]);
});

const sent = (lines: string[]) => ["theme=dark", ...lines.map((line) => line.split(";")[0])].join("; ");

/** Stands in for a browser with these cookies. */
function openBrowser(cookies: string) {
  const jar = new Map(listCookies(cookies));
  const document = {
    get cookie() {
      return Array.from(jar, ([name, value]) => `${name}=${value}`).join("; ");
    },
    set cookie(line: string) {
      expect(line).toMatch(/=; Path=\/; SameSite=Lax; Max-Age=0$/);
      jar.delete(line.split("=")[0] ?? "");
    },
  };
  vi.stubGlobal("document", document);
  return document;
}

test.each(["", "42", 'Läuft; ja, 100 % = "gut." ✓', "a_b.c"])("a message about %j arrives unchanged", (about) => {
  const [line = ""] = answer([CLAIM, "made", about]);
  expect(line).toMatch(/^note_claim_\w{8}=made[^;]*; Path=\/; SameSite=Lax; Max-Age=60$/);
  const { messages, forget } = readNotes(sent([line]));
  expect(pickOutcomes(CLAIM, messages)).toEqual([{ word: "made", about }]);
  expect(forget).toEqual([`${line.split("=")[0]}=; Path=/; SameSite=Lax; Max-Age=0`]);
});

test("reads a cookie with an extremely long name without delay", () => {
  const to = "b".repeat(1_000_000);
  expect(readNotes(`note_${to}_1=made`).messages).toEqual([{ to, word: "made", about: "" }]);
});

test("merges the messages of two responses and drops duplicates", () => {
  const lines = [
    ...answer([CLAIM, "made", "1"], [CLAIM, "made", "1"], [CLAIM, "made", "2"]),
    ...answer([CLAIM, "refused"], [CLAIM, "made", "2"]),
  ];
  expect(lines).toHaveLength(4);
  const { messages, forget } = readNotes(sent(lines));
  expect(pickOutcomes(CLAIM, messages)).toEqual([
    { word: "made", about: "1" },
    { word: "made", about: "2" },
    { word: "refused", about: "" },
  ]);
  expect(forget).toHaveLength(4);
});

test("an event that is set after a document was requested waits for the next document", () => {
  const browser = openBrowser(sent(answer([TABS, "SIGNED_OUT"], [CLAIM, "made"])));
  const arrived = listEvents(browser.cookie);
  openBrowser(`${browser.cookie}; ${sent(answer([TABS, "SIGNED_IN"]))}`);

  expect(consumeEvents(TABS, arrived)).toEqual([{ word: "SIGNED_OUT", about: "" }]);
  expect(consumeEvents(TABS, arrived)).toEqual([]);
  expect(consumeEvents(TABS)).toEqual([{ word: "SIGNED_IN", about: "" }]);
});

test("a page takes each note once and leaves events to scripts", () => {
  const browser = openBrowser(sent(answer([TABS, "SIGNED_OUT"], [CLAIM, "made"], [TABS, "SIGNED_IN"])));
  expect(readNotes(browser.cookie).messages).toEqual([{ to: "claim", word: "made", about: "" }]);
  expect(consumeNotes()).toEqual([{ to: "claim", word: "made", about: "" }]);
  expect(consumeNotes()).toEqual([]);
  expect(consumeEvents(TABS)).toEqual([
    { word: "SIGNED_OUT", about: "" },
    { word: "SIGNED_IN", about: "" },
  ]);
  expect(consumeEvents(TABS)).toEqual([]);
  expect(browser.cookie).toBe("theme=dark");
});

test.each(["", "Your account is lost. Call us.", "made%", "toString", "made.%E0%A4%A", "MADE"])(
  "ignores and clears an unknown message: %j",
  (value) => {
    const { messages, forget } = readNotes(`note_claim_1=${value}`);
    expect(pickOutcomes(CLAIM, messages)).toEqual([]);
    expect(forget).toHaveLength(1);
  },
);

test("a message reaches only its own outcome, and at most ten are read", () => {
  const { messages } = readNotes(
    "note_claims_1=made; note_clai_1=made; event_claim_1=made; xnote_claim_1=made; note_claim_1,x=made; note_claim=made",
  );
  expect(pickOutcomes(CLAIM, messages)).toEqual([]);
  const flood = Array.from({ length: 50 }, (_, index) => `note_claim_${index}=made.${index}`).join("; ");
  expect(readNotes(flood).messages).toHaveLength(10);
});
