import { expect, test } from "vitest";
import { actionEventCookie, parseActionEvent } from "./action-event.ts";

test("what an action says comes back from its cookie", () => {
  const event = { event: "reward_claimed", reward_id: "three friends; Path=/evil" } as const;
  const [cookie = "", ...attributes] = actionEventCookie(event).split("; ");
  expect(attributes).toEqual(["Path=/", "SameSite=Lax", "Max-Age=60"]);
  expect(parseActionEvent(cookie.replace("action_event=", ""))).toEqual(event);
});

test.each(["", "%", "null", "7", "{}", '{"event":"page_view"}', '{"event":7}', "login"])(
  "%s is no event of ours",
  (text) => {
    expect(parseActionEvent(text)).toBeUndefined();
  },
);
