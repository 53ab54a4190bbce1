import { renderToStaticMarkup } from "react-dom/server";
import { createRoutesStub } from "react-router";
import { expect, test } from "vitest";
import { BreakdownCard } from "./breakdown-card.tsx";
import { ContentPointsCard } from "./content-points-card.tsx";
import { HistoryCard } from "./history-card.tsx";
import type { PointsRange } from "../../server/points/contract.ts";
import type { PointsLog } from "../../server/points/contract.ts";
import type { PointsLogFilter } from "../points/reads.ts";
import { PointsLogCard } from "../points/points-log-card.tsx";
import { ReferralCard } from "../referrals/referral-card.tsx";

function render(Component: () => React.JSX.Element) {
  const Stub = createRoutesStub([{ path: "/dashboard", Component }]);
  return renderToStaticMarkup(<Stub initialEntries={["/dashboard"]} />);
}

const days = [
  { date: "2026-11-19", connectivity: 500, referral: 0, rewards: 250.1, total: 850.3 },
  { date: "2026-11-20", connectivity: 200, referral: 1000, rewards: 0, total: 1200 },
];
const history = () => (
  <HistoryCard range="last7days" days={days} average={1025.15} hrefFor={(range) => `?range=${range}`} />
);

test("the chart describes itself in words, and has its values as a table", () => {
  const html = render(history);
  expect(html).toContain("1.025,15 points a day on average. The best day is 20 Nov with 1.200.");
  expect(html).toContain("- - average 1.025,15<");
  const [, body = ""] = html.split("<tbody>");
  const rows = Array.from(body.matchAll(/<tr><th>([^<]+)<\/th>(.*?)<\/tr>/g), ([, day, cells = ""]) => [
    day,
    ...Array.from(cells.matchAll(/>([^<]+)<\/td>/g), ([, value]) => value),
  ]);
  // Others is the part of the total beyond the named categories.
  expect(rows).toEqual([
    ["19 Nov", "500", "0", "250,1", "100,2", "850,3"],
    ["20 Nov", "200", "1.000", "0", "0", "1.200"],
  ]);
});

test("an average of one point is in the singular", () => {
  const html = render(() => (
    <HistoryCard range="last7days" days={days} average={1} hrefFor={(range) => `?range=${range}`} />
  ));
  expect(html).toContain(">1 point a day on average.");
});

test("if no day has points, shows a next step and the other ranges instead of the chart", () => {
  const empty = days.map(({ date }) => ({ date, connectivity: 0, referral: 0, rewards: 0, total: 0 }));
  const html = render(() => (
    <HistoryCard range="last7days" days={empty} average={0} hrefFor={(range) => `?range=${range}`} />
  ));
  expect(html).toContain("No points on these days");
  expect(html).toMatch(/<a [^>]*href="\/faqs"[^>]*>How to earn points/);
  expect(html).toContain("30 days");
  expect(html).not.toContain("<table");
});

test("draws a day whose points were taken back on the same day", () => {
  const even = [{ date: "2026-11-20", connectivity: 0, referral: 0, rewards: 500, total: 0 }];
  const html = render(() => <HistoryCard range="last7days" days={even} average={0} hrefFor={String} />);
  expect(html).not.toContain("No points on these days");
  expect(html).toContain("<table");
});

test("tells a member without a referral code that their link is being prepared", () => {
  const html = render(() => (
    <ReferralCard link={null} points={1000}>
      Share it
    </ReferralCard>
  ));
  expect(html).toContain("Your link is being prepared.");
  expect(html).not.toMatch(/<input|Copy Link|Share it/);
});

test("each range is a link, and the current one is marked", () => {
  const html = render(history);
  const segments = Array.from(html.matchAll(/<a ([^>]*)>(\d+ days)/g), ([, attributes = "", label]) => ({
    label,
    range: attributes.match(/range=(\w+)/)?.[1],
    current: attributes.includes('aria-current="true"'),
  }));
  expect(segments).toEqual([
    { label: "7 days", range: "last7days", current: true },
    { label: "30 days", range: "last30days", current: false },
    { label: "90 days", range: "last90days", current: false },
  ]);
});

// specification: 3.11, 3.12
test("each category has its colour, and an unknown one is black", () => {
  const breakdown = ["Referral", "Airdrop", null].map((category) => ({
    category,
    color: null,
    percentage: null,
    value: 10,
  }));
  const untold = { category: "Gifts", color: null, percentage: null, value: null };
  const html = render(() => <BreakdownCard breakdown={[...breakdown, untold]} />);
  expect(html).toContain('Gifts</dt><dd class="num ms-auto">–<');
  expect(html).toContain("<th>Gifts</th><td>–</td><td>–</td>");
  expect(html).toContain("fill-referral");
  expect(html.match(/class="fill-uncategorised/g)).toHaveLength(2);
  expect(html).toContain("Uncategorised");
});

const EMPTY = { data: [], total: 0 };

const log = (filter: PointsLogFilter, range: PointsRange = "last7days", shown: PointsLog = EMPTY) =>
  render(() => <PointsLogCard log={shown} view={{ range, log: { page: 1, limit: 10, ...filter } }} now={0} />);

test("an empty log says why it is empty, and offers to clear the filters", () => {
  expect(log({})).toContain("No points yet");
  expect(log({ category: "Rewards" })).toContain("No points from Rewards yet");
  const filtered = log({ startDate: "2026-11-01" });
  expect(filtered).toContain("No points on these dates");
  expect(filtered).toMatch(/<a [^>]*href="\/dashboard"[^>]*>Clear filters/);
});

test("a log that reaches back to unlisted heartbeats says since when they are listed", () => {
  const since = { ...EMPTY, heartbeatsSince: "2026-10-01T00:00:00.000Z" };
  const words = "Heartbeats before 1 Oct 2026 are no longer listed one by one.";
  expect(log({}, "last7days", since)).toContain(words);
  expect(log({ startDate: "2026-09-30", category: "Connectivity" }, "last7days", since)).toContain(words);
  expect(log({ startDate: "2026-10-01" }, "last7days", since)).not.toContain("one by one");
  expect(log({ category: "Rewards" }, "last7days", since)).not.toContain("one by one");
  expect(log({})).not.toContain("one by one");
  // Members who had points before that day must not read that they have none.
  expect(log({}, "last7days", since)).not.toContain("No points yet");
  expect(log({ category: "Rewards" }, "last7days", since)).toContain("No points from Rewards yet");
  expect(log({ category: "Connectivity" }, "last7days", since)).toContain("No entries from Connectivity");
  expect(log({ endDate: "2026-09-30" }, "last7days", since)).toContain("No entries on these dates");
  expect(log({ startDate: "2026-10-01" }, "last7days", since)).toContain("No points on these dates");
});

test("the filter form keeps the chart's range", () => {
  const html = log({ category: "Others" }, "last30days");
  expect(html).toContain('<input type="hidden" name="range" value="30"/>');
  expect(html).toMatch(/<option value="Others" selected="">/);
});

test("excludes the date filter's button from translation, so that its text can still change", () => {
  expect(log({ startDate: "2026-11-01" })).toMatch(
    /<button[^>]* aria-label="Dates: From 1 Nov 2026"[^>]* translate="no"/,
  );
});

test("the referral link can be selected without a script", () => {
  const html = render(() => <ReferralCard link="https://nodebeat.test/auth/signup?referralCode=K7QX2" points={1500} />);
  expect(html).toMatch(/<input [^>]*readOnly=""[^>]*value="https:\/\/nodebeat.test\/auth\/signup\?referralCode=K7QX2"/);
  expect(html).toContain("A friend who joins with your link starts with 1.500 extra points.");
});

test("shows the title of gathered content in the direction of its own language", () => {
  const entry = { kind: "post", title: "שלום (1)", points: 2, timestamp: "2026-11-20T12:00:00Z" } as const;
  expect(render(() => <ContentPointsCard entries={[entry]} />)).toMatch(/<span dir="auto"[^>]*>שלום \(1\)</);
});
