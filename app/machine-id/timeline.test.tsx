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

const publicStep = (name: MachineTimelineStep["step"]): MachineTimelineStep => ({
  subject: "machine-id",
  step: name,
  at: "2026-11-20T12:00:00.000Z",
  hash: `0x${"ab".repeat(32)}`,
  explorerUrl: "https://explorer.example/1",
  note: "By another transaction.",
});

test("each step has its own text, and a link if its transaction is public", () => {
  const names = ["queued", "signed", "deployed", "registered", "failed"] as const;
  const steps = names.flatMap((name) => [step(name), publicStep(name)]);
  const html = renderToStaticMarkup(<Timeline timeline={{ mode: "embedded", steps }} />);
  expect(Array.from(html.matchAll(/font-strong">([^<]+)/g), ([, words]) => words)).toEqual([
    "Smart Account queued",
    "Machine ID requested",
    "Smart Account signed",
    "Machine ID signed",
    "Smart Account deployed",
    "Machine ID sent",
    "Smart Account registered",
    "Machine ID registered",
    "Smart Account could not be created",
    "Machine ID could not be created",
  ]);
  expect(html.split("By another transaction.")).toHaveLength(6);
  expect(html.split('<a href="https://explorer.example/1"')).toHaveLength(6);
  expect(html.match(/bg-bad/g)).toHaveLength(2);
  expect(html).toContain("There is no public network behind it.");
});

test.each([
  [["queued"], 0],
  [["queued", "signed", "deployed"], 2],
] as const)("a line connects each dot to the next and ends at the last: %j", (steps, lines) => {
  const html = renderToStaticMarkup(<Timeline timeline={{ mode: "rpc", steps: steps.map(step) }} />);
  const items = html.split("<li").slice(1);
  expect(items).toHaveLength(steps.length);
  expect(items.map((item) => item.includes("<i aria-hidden"))).toEqual(items.map((_, index) => index < lines));
});

test("shows an entry of the embedded ledger by its shortened id", () => {
  const hash = "embedded:01a21dae-caf0-7097-a848-fdccaf6d4d7b";
  const steps = [{ ...step("deployed"), hash }];
  const html = renderToStaticMarkup(<Timeline timeline={{ mode: "embedded", steps }} />);
  expect(html).toContain(` title="${hash}">01a21d…4d7b<`);
});
