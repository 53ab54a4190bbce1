import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { packageOf, unixCommand, windowsCommand } from "./node-command.ts";

const ADDRESS = "https://nodebeat.example";

/** Runs a command in a shell. Returns the key in the environment, and the words that npx gets. */
function readByShell(command: string): string[] {
  const stub = `npx() { printf '%s\\n' "$NODEBEAT_KEY" "$@"; }`;
  return execFileSync("sh", ["-c", `${stub}\n${command}`], { encoding: "utf8" })
    .trimEnd()
    .split("\n");
}

test.each([
  [ADDRESS, "nbd_key"],
  ["http://[::1]:3000", "a key+of/another=backend"],
  ["https://nodebeat.example;touch$(id)", "$(id)`id`;'\"&|"],
])("a shell reads %s and %s as one word each", (address, deviceKey) => {
  expect(readByShell(unixCommand({ address, deviceKey }))).toEqual([
    deviceKey,
    "--yes",
    packageOf(address),
    "--url",
    address,
  ]);
});

test("PowerShell runs no part of a key or an address, and a plain address is not quoted", () => {
  expect(windowsCommand({ address: ADDRESS, deviceKey: "$(id)'; id" })).toBe(
    `$env:NODEBEAT_KEY='$(id)''; id'; npx.cmd --yes ${ADDRESS}/node/nodebeat-node.tgz --url ${ADDRESS}`,
  );
  expect(windowsCommand({ address: `https://a'b"&c`, deviceKey: "k" })).toContain(`--url '"https://a''b""&c"'`);
  // Each of these characters ends a string there, too.
  expect(windowsCommand({ address: ADDRESS, deviceKey: "‘ ’; ‚ ‛" })).toContain("NODEBEAT_KEY='‘‘ ’’; ‚‚ ‛‛'; npx.cmd");
});
