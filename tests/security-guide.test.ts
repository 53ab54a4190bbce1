import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { SECRETS, Settings } from "../server/env.ts";
import { isObvious } from "../server/password-rules/contract.ts";

/* Checks that what docs/security.md lists is what exists. */

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (path: string) => readFileSync(root + path, "utf8");
const guide = read("docs/security.md");
/** Returns what the security guide says below a heading. */
const section = (heading: string) => guide.split(`\n## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";
const listMatches = (text: string, pattern: RegExp): string[] => [
  ...new Set(Array.from(text.matchAll(pattern), ([, each = ""]) => each)),
];

test("the guide lists every kind of credential by its prefix", () => {
  const kinds = listMatches(read("server/secrets/credential.ts"), /"(nb\w_)"/g);
  expect(kinds.length).toBeGreaterThan(5);
  expect(listMatches(section("Ways in"), /`(nb\w_)`/g).sort()).toEqual(kinds.sort());
});

test("the dependent fields that the guide lists exist in the contracts", () => {
  const fields = listMatches(section("Input"), /^\| (\w+(?:, \w+)+)/gm).flatMap((names) => names.split(", "));
  expect(fields.length).toBeGreaterThan(8);
  const contracts = globSync("server/*/contract.ts", { cwd: root }).map(read).join("\n");
  expect(fields.filter((name) => !new RegExp(`^\\s*${name}[:,]`, "m").test(contracts))).toEqual([]);
});

test("the guide lists every product word that is too weak for a password, and each is rejected", () => {
  const [, list = ""] = /const OUR_WORDS = \[([^\]]*)\]/.exec(read("server/password-rules/contract.ts")) ?? [];
  const [, told = ""] = /- the product's name, (.*)\n/.exec(section("Passwords")) ?? [];
  expect(told.split(", ")).toEqual(listMatches(list, /"(\w+)"/g));
  expect(told.split(", ").filter((word) => !isObvious(`${word}2026`, "ada@nodebeat.test"))).toEqual([]);
});

test("the guide lists every setting that is a key or an address that the server calls", () => {
  const keys = SECRETS.filter((name) => /KEY|SECRET|TOKEN/.test(name)).map((name) => name.replace(/_OTHER$/, ""));
  expect(keys.filter((name) => !section("Keys").includes(`\`${name}\``))).toEqual([]);
  const addresses = Object.keys(Settings.shape).filter((name) => /_URLS?$|_ENDPOINT$/.test(name));
  expect(addresses.length).toBeGreaterThan(7);
  expect(addresses.filter((name) => !section("Whom the server talks to").includes(`\`${name}\``))).toEqual([]);
});

/** The purposes that keys are derived for, as the code and the guide call them. */
const PURPOSES = {
  '"bot check"': "bot check",
  '"embedded station"': "the key that stands in for its own",
  '"former keys"': "keys of a former `SESSION_SECRET`",
  '"limits"': "limits",
  '"mail queue"': "mail that waits",
  '"mail recipients"': "recipients",
  '"mailed credentials"': "mailed links and codes",
  '"wallet nonces"': "nonces",
  PROVIDER_SESSIONS: "tokens and passwords for Supabase",
  WEBHOOK_SECRETS: "webhooks' secrets",
};

test("the guide lists every purpose that a key is derived for", () => {
  const purposes = globSync("server/**/*.ts", { cwd: root, exclude: ["**/*.test.ts"] }).flatMap((path) =>
    listMatches(read(path), /\b(?:deriveKeys|createSeal)\(\s*[\w.]+,\s*("[^"]+"|[A-Z_]+)/g),
  );
  expect([...new Set(purposes)].sort()).toEqual(Object.keys(PURPOSES).sort());
  for (const purpose of Object.values(PURPOSES)) expect(section("Keys")).toContain(purpose);
});
