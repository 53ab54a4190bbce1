import { expect, test } from "vitest";
import { parseEntry } from "./stored-entries.ts";

// specification: 3.25
test.each([null, "", "{", "null", "5", '"text"', "[1]", "undefined"])(
  "an entry that is absent or unreadable is an empty object: %s",
  (text) => expect(parseEntry(text)).toEqual({}),
);

// specification: 3.24
test("parses the entry that was kept", () => {
  expect(parseEntry('{"referralPoints":1500}')).toEqual({ referralPoints: 1500 });
});
