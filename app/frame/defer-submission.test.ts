import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { markReachable, readConnection } from "../cache/connection.ts";
import { setSubmitting } from "./defer-submission.ts";
import { blockWhileOffline } from "./block-while-offline.ts";

let hear: (event: object) => void;
let stopHolding: () => void;
const onBlocked = vi.fn<() => void>();

/** A form as a page knows it: it is sent unless the listener stops it. */
class Form {
  readonly method = "post";
  readonly action = "/profile";
  sent = 0;

  requestSubmit() {
    let isStopped = false;
    const stop = () => (isStopped = true);
    hear({ target: this, submitter: null, preventDefault: stop, stopPropagation: stop });
    if (!isStopped) this.sent += 1;
  }
}

beforeEach(() => {
  vi.stubGlobal("fetch", () => Promise.resolve(new Response()));
  vi.stubGlobal("HTMLFormElement", Form);
  vi.stubGlobal("addEventListener", (type: string, listener: typeof hear) => {
    if (type === "submit") hear = listener;
  });
  stopHolding = blockWhileOffline("/profile", onBlocked.mockReset());
  markReachable();
});
afterEach(() => {
  stopHolding();
  setSubmitting(false);
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test("a form in flight is not sent again, even if other forms are submitted in the meantime", async () => {
  const [first, second, third] = [new Form(), new Form(), new Form()];
  first.requestSubmit();
  second.requestSubmit();
  await expect.poll(() => [first.sent, second.sent]).toEqual([1, 1]);
  setSubmitting(true);
  first.requestSubmit();
  third.requestSubmit();
  await expect.poll(() => third.sent).toBe(1);
  expect([first.sent, second.sent]).toEqual([1, 1]);

  setSubmitting(false);
  first.requestSubmit();
  await expect.poll(() => first.sent).toBe(2);
});

test("a second submit is ignored even before the router reports the first one", async () => {
  const [form, other] = [new Form(), new Form()];
  form.requestSubmit();
  await expect.poll(() => form.sent).toBe(1);
  form.requestSubmit();
  setSubmitting(true);
  // Checked after the other form was sent, and answered after it.
  other.requestSubmit();
  await expect.poll(() => other.sent).toBe(1);
  expect(form.sent).toBe(1);
});

test("a form waits for a slow server, and is sent once although it was submitted again in the meantime", async () => {
  vi.useFakeTimers();
  const { promise: answer, resolve: arrive } = Promise.withResolvers<Response>();
  vi.stubGlobal("fetch", () => answer);
  const form = new Form();
  form.requestSubmit();
  await vi.advanceTimersByTimeAsync(1250);
  expect(readConnection()).not.toBe("online");
  form.requestSubmit();
  arrive(new Response());
  await vi.advanceTimersByTimeAsync(0);
  expect([form.sent, onBlocked.mock.calls, readConnection()]).toEqual([1, [], "online"]);
});
