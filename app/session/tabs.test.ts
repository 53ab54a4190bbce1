import { afterEach, expect, test, vi } from "vitest";
import { watchStorage, openTopic } from "./tabs.ts";

const isColour = (value: unknown): value is "red" | "blue" => value === "red" || value === "blue";

afterEach(() => void vi.unstubAllGlobals());

/** Stubs the storage events of a tab, which come from others that share its storage. */
function stubStorage() {
  const events = new EventTarget();
  const change = (key: string | null, oldValue: string | null, newValue: string | null) =>
    events.dispatchEvent(Object.assign(new Event("storage"), { key, oldValue, newValue }));
  vi.stubGlobal("addEventListener", events.addEventListener.bind(events));
  vi.stubGlobal("removeEventListener", events.removeEventListener.bind(events));
  return { change };
}

test("other tabs receive the valid messages of their topic, in order, until they stop following", async () => {
  const [here, there, later] = [
    openTopic("colour", isColour),
    openTopic("colour", isColour),
    openTopic("colour", isColour),
  ];
  const taste = openTopic("taste", isColour);
  const [mine, heard, last]: string[][] = [[], [], []];
  const ends = [here.follow((colour) => mine?.push(colour)), taste.follow(() => {})];
  const stop = there.follow((colour) => heard?.push(colour));
  const stranger = new BroadcastChannel("tabs colour");

  taste.broadcast("red");
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target
  stranger.postMessage("green");
  here.broadcast("blue");
  here.broadcast("blue");
  here.broadcast("red");
  await expect.poll(() => heard).toEqual(["blue", "blue", "red"]);
  expect(mine).toEqual([]);

  stop();
  ends.push(later.follow((colour) => last?.push(colour)));
  here.broadcast("blue");
  await expect.poll(() => last).toEqual(["blue"]);
  expect(heard).toHaveLength(3);
  for (const end of ends) end();
  stranger.close();
});

test("without BroadcastChannel, no message arrives and nothing fails", () => {
  vi.stubGlobal("BroadcastChannel", undefined);
  const heard: string[] = [];
  const stop = openTopic("colour", isColour).follow((colour) => heard.push(colour));
  openTopic("colour", isColour).broadcast("blue");
  stop();
  expect(heard).toEqual([]);
});

test("reports what another tab changes in storage, but not an unchanged value", () => {
  const { change } = stubStorage();
  const heard: unknown[] = [];
  const stop = watchStorage((key, value) => heard.push([key, value]));
  change("theme", null, "dark");
  change("theme", "dark", "dark");
  change("theme", "dark", null);
  change(null, null, null);
  expect(heard).toEqual([
    ["theme", "dark"],
    ["theme", null],
    [null, null],
  ]);
  stop();
  change("theme", null, "dark");
  expect(heard).toHaveLength(3);
});
