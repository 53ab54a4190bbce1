import { renderToStaticMarkup } from "react-dom/server";
import { createMemoryRouter, RouterProvider } from "react-router";
import { expect, test } from "vitest";
import { readText } from "../../tests/support/pages/test-pages.ts";
import { HydrateReads } from "../cache/hydrate-reads.tsx";
import { QueryProvider } from "../cache/query-provider.tsx";
import { IdentityCard } from "./identity-card.tsx";

const ADDRESS = "0x4c1E8842c5d5b3bE0d2a4f5b7f1f7cbb7cA507d2";

const READS: [[string, object], unknown][] = [
  [["smart-account", {}], { success: true, smartAccount: null, message: "", status: "completed", createdAt: null }],
  [["machine-id-status", {}], { status: "completed" }],
  [["machine-identity", {}], { success: true, message: "", data: { did_name: "did:test", public_address: ADDRESS } }],
  [["smart-id-requirements", {}], { wallet: true, currentHeartbeats: 100 }],
];

function render(reads = READS) {
  const card = (
    <QueryProvider member="0192-user" onSignedOut={() => {}} isOver={() => false} onResponse={() => {}}>
      <HydrateReads carried={{ at: 1, reads }}>
        <IdentityCard member="0192-user" />
      </HydrateReads>
    </QueryProvider>
  );
  return renderToStaticMarkup(<RouterProvider router={createMemoryRouter([{ path: "/", element: card }])} />);
}

test("a copy button announces the copy itself unless a toast does", () => {
  const html = render();
  expect(html).toMatch(/<button[^>]*>Copy Machine ID<\/button>(?!<output)/);
  expect(html).toMatch(/<button[^>]* aria-label="Copy Identity"[^>]*>Copy<\/button><output/);
});

test("says nothing about the record until it has been read", () => {
  const text = readText(render(READS.filter(([[path]]) => path !== "machine-identity")));
  expect(text).toContain("Machine ID creation completed!");
  expect(text).not.toContain("Machine ID not available");
});
