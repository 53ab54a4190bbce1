import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { MachineTimelineStep } from "../../server/machine-id/contract.ts";
import { Timeline } from "./timeline.tsx";

const step = (name: MachineTimelineStep["step"]): MachineTimelineStep => ({
  subject: "smart-account",
  step: name,
  at: "2026-11-20T12:00:00.000Z",
  hash: null,
  explorerUrl: null,
  note: null,
});

test.each([
  [["queued"], 0],
  [["queued", "signed", "deployed"], 2],
] as const)("a line leads from each dot to the next, and ends at the last: %j", (steps, lines) => {
  const html = renderToStaticMarkup(<Timeline timeline={{ mode: "rpc", steps: steps.map(step) }} />);
  const items = html.split("<li").slice(1);
  expect(items).toHaveLength(steps.length);
  expect(items.map((item) => item.includes("<i aria-hidden"))).toEqual(items.map((_, index) => index < lines));
});
