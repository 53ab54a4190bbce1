import { RouterContextProvider } from "react-router";
import { expect, test } from "vitest";
import { originContext } from "../page/context.ts";
import { openPendingCookies } from "./pending-cookies.ts";

function open(origin: string) {
  const context = new RouterContextProvider();
  context.set(originContext, origin);
  return openPendingCookies(context);
}

const withCookie = (cookie: string) => new Request("http://nodebeat.test/", { headers: { Cookie: cookie } });
const encode = (name: string, value: unknown) => `${name}=${encodeURIComponent(btoa(JSON.stringify(value)))}`;
const resend = { state: "INITIAL" as const, timestamp: 1_795_000_000_000, duration: 60_000 };

// specification: 3.15
test("a pending sign-up survives the round trip through its cookie", async () => {
  const { signUp } = open("http://nodebeat.test");
  const waiting = { signupToken: "nbs_1", email: "ada@bücher.example", resend };
  expect(await signUp.read(withCookie((await signUp.commit(waiting)).split(";")[0] ?? ""))).toEqual(waiting);
});

test("on HTTPS, only this host can set the cookie", async () => {
  for (const cookie of Object.values(open("https://nodebeat.example"))) {
    expect(await cookie.destroy()).toMatch(
      /^__Host-nodebeat_\w+=; Max-Age=0; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
  }
});

// specification: 3.15
test.each([
  ["none", ""],
  ["text", "nodebeat_signup=abc"],
  ["no token", encode("nodebeat_signup", { email: "ada@nodebeat.test", resend })],
  ["an empty token", encode("nodebeat_signup", { signupToken: "", email: "ada@nodebeat.test", resend })],
  ["an invalid resend state", encode("nodebeat_signup", { signupToken: "t", email: "a", resend: { state: "TOP" } })],
])("a missing or invalid cookie is no pending sign-up: %s", async (_, cookie) => {
  expect(await open("http://nodebeat.test").signUp.read(withCookie(cookie))).toBeNull();
});
