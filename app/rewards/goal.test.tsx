import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { HydrateReads } from "../cache/hydrate-reads.tsx";
import { QueryProvider } from "../cache/query-provider.tsx";
import { useGoal } from "./goal.ts";

const Progress = () => useGoal("uptime")?.progress;

test.each([
  [{ percent: 99.6, slots: ["missed", "beat"] }, "99 % uptime in the last 7 days"],
  [{ percent: 100, slots: ["before", "beat"] }, "100 % uptime since the first heartbeat"],
  [{ percent: null, slots: ["before", "before"] }, "No heartbeats yet"],
])("a campaign for uptime shows %j as %s", (uptime, words) => {
  const html = renderToStaticMarkup(
    <QueryProvider member="0192-user" onSignedOut={() => {}} isOver={() => false} onResponse={() => {}}>
      <HydrateReads carried={{ at: 1, reads: [[["uptime", { range: "last7days" }], uptime]] }}>
        <Progress />
      </HydrateReads>
    </QueryProvider>,
  );
  expect(html).toBe(words);
});
