import { afterAll, afterEach, expect, test } from "vitest";
import { readEventsOf } from "../../../tests/support/api/event-reader.ts";
import { createProviderTest, OTHER_PASSWORD, PASSWORD } from "../../../tests/support/supabase/provider-test.ts";
import { readEvents } from "../../live/contract.ts";
import { logout } from "../../sessions/contract.ts";
import * as contract from "../contract.ts";

/*
 * How Supabase's five events reach a member's open pages. Supabase itself sends nothing to any page.
 *
 * - SIGNED_IN, PASSWORD_RECOVERY: concern only the browser in which they happen, whose tabs tell each other
 *   (tests/e2e/browser/supabase.spec.ts).
 * - USER_UPDATED: the tabs of a browser tell each other. A new password ends the sessions of the other browsers, which
 *   ends their streams.
 * - SIGNED_OUT: the tabs of a browser tell each other. The stream ends with its session, whoever ended that.
 * - TOKEN_REFRESHED: the stream ends when a token is due. The response to the page that reconnects says that the token
 *   was renewed.
 */

const HOUR = 60 * 60_000;
const scene = await createProviderTest();
const { api, clock, supabase } = scene;
const open: ReturnType<typeof readEventsOf>[] = [];
afterEach(() => Promise.all(open.splice(0).map((events) => events.leave())));
afterAll(() => scene.close());

const connect = (token: string) =>
  api.fetch(new Request(`http://api.test${readEvents.path}`, { headers: { Authorization: `Bearer ${token}` } }));

/**
 * Opens a page and waits for its first event. Returns a function that waits until the stream tells the page to
 * reconnect at once.
 */
async function watch(token: string) {
  const response = await connect(token);
  expect([response.status, response.headers.get("x-auth-event")]).toEqual([200, null]);
  const events = readEventsOf(response);
  open.push(events);
  await events.next();
  return async () => {
    let block = await events.nextBlock();
    // Skip the keep-alives, however many a slow machine sends.
    while (block === ":") block = await events.nextBlock();
    expect(block).toBe("retry: 0");
  };
}

// specification: 4.8
test("a page that only listens reconnects when its token is due, and is told of the renewal", async () => {
  const { token } = await scene.join();
  const isAskedBack = await watch(token);
  supabase.takeRequests();
  clock.advance(HOUR);
  await isAskedBack();
  const back = await connect(token);
  open.push(readEventsOf(back));
  expect([back.status, back.headers.get("x-auth-event")]).toEqual([200, "TOKEN_REFRESHED"]);
  expect(supabase.takeRequests()).toEqual(["POST /token"]);
});

// specification: 4.8
test("a page that only listens is signed out once its token is due, if Supabase has ended the session", async () => {
  const { token } = await scene.join();
  const isAskedBack = await watch(token);
  supabase.endEverySession();
  clock.advance(HOUR);
  await isAskedBack();
  expect((await connect(token)).status).toBe(401);
});

// specification: 4.8
test("a page is told to reconnect when its session ends, by sign-out or by a new password elsewhere", async () => {
  const { email, token } = await scene.join();
  const other = await scene.signedIn(email);
  const [isAskedBack, isOtherAskedBack] = [await watch(token), await watch(other)];
  const body = { currentPassword: PASSWORD, password: OTHER_PASSWORD };
  await api.read(contract.changePassword, { token, body });
  await isOtherAskedBack();
  expect((await connect(other)).status).toBe(401);
  await api.read(logout, { token });
  await isAskedBack();
  expect((await connect(token)).status).toBe(401);
});
