import { renderToStaticMarkup } from "react-dom/server";
import { MemoryRouter } from "react-router";
import { expect, test } from "vitest";
import { MAX_COUNTED, type NetworkOverview } from "../../../server/network/contract.ts";
import { overviewPage } from "./overview.page.tsx";

const overview: NetworkOverview = {
  summedAt: null,
  members: { total: 0, joinedToday: 0, leftToday: 0 },
  unconfirmed: MAX_COUNTED,
  heard: { inHour: 0, inDay: 0 },
  points: { connectivity: 0, referral: 0, rewards: 0, others: 0 },
  claims: 0,
  heldReferrals: MAX_COUNTED - 1,
  adjustmentRequests: 0,
  queue: [],
  chain: { isOk: true, problem: null, jobs: [] },
};
const shown = { administrator: { id: "1", email: "ada@example.com" }, url: { pathname: "/admin", search: "" } };

test("labels a count that reached its limit as that many or more", () => {
  const html = renderToStaticMarkup(
    <MemoryRouter>
      <overviewPage.Page data={overview} shown={shown} />
    </MemoryRouter>,
  );
  expect(html).toContain("<dd>10.000</dd><dd>or more, waiting for the code to be entered</dd>");
  expect(html).toMatch(/<dd>9\.999<\/dd><dd><a [^>]*href="\/admin\/referrals"[^>]*>waiting for a decision<\/a><\/dd>/);
});

test("each kind of job links to its list, with only the given-up jobs if there are any", () => {
  const queue = [
    { kind: "mail", queued: 1, oldestDueSeconds: 0, dead: 2 },
    { kind: "tidy-up", queued: 1, oldestDueSeconds: 0, dead: 0 },
  ];
  const html = renderToStaticMarkup(
    <MemoryRouter>
      <overviewPage.Page data={{ ...overview, queue }} shown={shown} />
    </MemoryRouter>,
  );
  const links = Array.from(html.matchAll(/<td><a [^>]*href="([^"]*)"[^>]*>([\w-]+)/g), ([, href, text]) => [
    text,
    href,
  ]);
  expect(links).toEqual([
    ["emails", "/admin/mail"],
    ["tidy-up", "/admin/background-jobs?show=all"],
  ]);
});
