import { expect, test } from "vitest";
import { readTermsStatus } from "../../server/legal/contract.ts";
import { readMachineIdStatus, readSmartAccount } from "../../server/machine-id/contract.ts";
import { readOnboarded } from "../../server/onboarding/contract.ts";
import { readStats } from "../../server/points/contract.ts";
import type { GivenResponse } from "../../tests/support/samples/sample-responses.ts";
import { readPage } from "../../tests/support/pages/test-pages.ts";
import { visitSamples } from "../broken-responses.fixture.ts";

const pointsOf = (html: string) => /<b class="num[^"]*">.*?>([\d.,–]+)</.exec(html)?.[1];

// specification: 3.18
test.each([{}, null, { points_total: undefined }])("shows zero points if the stats are empty: %j", async (answer) => {
  const { visitor } = await visitSamples([[readStats, answer]]);
  const { html, text } = await readPage(visitor, "/dashboard");
  expect(pointsOf(html)).toBe("0");
  expect(text).toMatch(/Total points 0 0 today/);
  expect(text).toContain("No points yet. You earn them with heartbeats, friends and rewards.");
});

// specification: 3.18
test("if the stats fail to load, the header shows zero and the page says so", async () => {
  const { pages, visitor } = await visitSamples();
  pages.override(readStats, () => Response.json({ message: "Not now" }, { status: 500 }));
  const { html, text } = await readPage(visitor, "/dashboard");
  expect(pointsOf(html)).toBe("0");
  expect(text).toContain("Your points at a glance Could not be loaded");
});

// specification: 3.18
test.each([{}, null, { success: "perhaps" }])(
  "treats a member whose onboarding status is unclear as onboarded: %j",
  async (answer) => {
    const { pages, visitor } = await visitSamples([[readOnboarded, answer]]);
    const { html, status } = await readPage(visitor, "/dashboard");
    expect(status).toBe(200);
    expect(html).not.toContain("Available once your account is set up");
    expect(pages.calls).not.toContain("POST /api/users/onboard");
  },
);

const readWith = async (path: string, ...given: GivenResponse[]) => readPage((await visitSamples(given)).visitor, path);

// specification: 4.17
test("asks a member to accept the terms if their status fails to parse", async () => {
  const unclear = await readWith("/rewards", [readTermsStatus, { istosAccepted: "yes" }]);
  expect(unclear.text).toContain("Updated Terms of Service");
  const clear = await readWith("/rewards", [readTermsStatus, { istosAccepted: true }]);
  expect(clear.text).not.toContain("Updated Terms of Service");
});

// specification: 4.17
test.each([
  { istosAccepted: true, version: "2026-11" },
  { istosAccepted: true, version: null, acceptedBefore: null },
])("accepted terms stay accepted if a field beyond the specification has another type: %j", async (answer) => {
  const { text } = await readWith("/rewards", [readTermsStatus, answer]);
  expect(text).not.toContain("Updated Terms of Service");
});

const ACCOUNT = { success: true, message: "", smartAccount: "0x1", status: "completed", createdAt: null };
const HAS_ACCOUNT: GivenResponse = [readSmartAccount, ACCOUNT];

// specification: 4.37
test.each([
  [readSmartAccount, {}],
  [readSmartAccount, null],
  [readSmartAccount, { ...ACCOUNT, status: "else" }],
  [readMachineIdStatus, {}],
  [readMachineIdStatus, null],
  [readMachineIdStatus, { status: "else" }],
] as const)("hides the header's button if a status is invalid: %#", async (endpoint, answer) => {
  const known = await readWith("/rewards", HAS_ACCOUNT);
  expect(known.html).toMatch(/href="\/profile#identity"[^>]*>Create Machine ID/);

  const { html, status } = await readWith("/rewards", HAS_ACCOUNT, [endpoint, answer]);
  expect(status).toBe(200);
  expect(html).not.toContain('href="/profile#identity"');
});
