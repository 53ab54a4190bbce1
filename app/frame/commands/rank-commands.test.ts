import * as fc from "fast-check";
import { expect, test } from "vitest";
import { rankCommands } from "./rank-commands.ts";

const COMMANDS = [
  { label: "Dashboard", words: "home" },
  { label: "Rewards" },
  { label: "Referrals", words: "friends invite" },
  { label: "Copy referral link", words: "invite share" },
  { label: "Log out", words: "sign out" },
];

const find = (query: string) => rankCommands(COMMANDS, query).map(({ label }) => label);

test.each([
  ["", ["Dashboard", "Rewards", "Referrals", "Copy referral link", "Log out"]],
  ["re", ["Rewards", "Referrals", "Copy referral link"]],
  ["REFERRAL", ["Referrals", "Copy referral link"]],
  ["link", ["Copy referral link"]],
  ["invite", ["Referrals", "Copy referral link"]],
  ["sign out", ["Log out"]],
  ["dsh", ["Dashboard"]],
  ["cprf", ["Copy referral link"]],
  ["xyz", []],
])("“%s” finds %j", (query, labels) => {
  expect(find(query)).toEqual(labels);
});

test("a search-only command is not listed, and scattered letters do not match it", () => {
  const commands = [...COMMANDS, { label: "Why was a heartbeat refused?", words: "node", isOnlyFound: true }];
  const find = (query: string) => rankCommands(commands, query).map(({ label }) => label);
  expect(find("")).toEqual(COMMANDS.map(({ label }) => label));
  expect(find("heartbeat")).toEqual(["Why was a heartbeat refused?"]);
  expect(find("node")).toEqual(["Why was a heartbeat refused?"]);
  expect(find("wre")).toEqual([]);
});

test("typing another letter never adds matches", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...Array.from("adefilnorstwyz ")), maxLength: 8 }), (query) => {
      const before = find(query.slice(0, -1));
      expect(find(query).filter((label) => !before.includes(label))).toEqual([]);
    }),
  );
});
