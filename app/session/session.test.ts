import { expect, test } from "vitest";
import { createSessionCookie } from "./session.ts";

const plain = createSessionCookie(undefined);
const session = { accessToken: "nbs_abc-DEF_123", userId: "0192-user" };

/** Returns the request that a browser would make after a response with this `Set-Cookie`. */
const withCookie = (setCookie: string) =>
  new Request("http://nodebeat.test/", { headers: { Cookie: `theme=dark; ${setCookie.split(";")[0]}` } });

// specification: 3.14
test("a session survives the round trip through its cookie", async () => {
  expect(await plain.read(withCookie(await plain.commit(session)))).toEqual(session);
  // A JWT, and tokens of other backends.
  for (const accessToken of ["t", "e30.e30.c2ln", "7|aB3+/=", "{v1}:a,b!"])
    expect(await plain.read(withCookie(await plain.commit({ accessToken })))).toEqual({ accessToken });
});

test("the cookie is out of reach for scripts and other sites", async () => {
  expect((await plain.commit(session)).split("; ").slice(1)).toEqual([
    "Max-Age=2592000",
    "Path=/",
    "HttpOnly",
    "SameSite=Lax",
  ]);
});

test("on HTTPS, only this host can set the cookie", async () => {
  const cookie = await createSessionCookie("https://nodebeat.example").commit(session);
  expect(cookie).toMatch(/^__Host-nodebeat_session=/);
  expect(cookie.split("; ").slice(1)).toEqual(["Max-Age=2592000", "Path=/", "HttpOnly", "Secure", "SameSite=Lax"]);
});

test("ending a session sets an empty cookie that expires at once", async () => {
  expect(await plain.destroy()).toBe("nodebeat_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax");
  expect(await plain.read(withCookie(await plain.destroy()))).toBeNull();
});

const encode = (value: unknown) => `nodebeat_session=${encodeURIComponent(btoa(JSON.stringify(value)))}`;

test.each([
  ["none", ""],
  ["text", "nodebeat_session=abc"],
  ["a broken code", "nodebeat_session=%E0%A4%A"],
  ["null", encode(null)],
  ["a number", encode(7)],
  ["no token", encode({ userId: "u" })],
  ["an empty token", encode({ accessToken: "" })],
  ["a token that is no text", encode({ accessToken: { a: 1 } })],
  ["a token that would break a header", encode({ accessToken: "a\r\nX-Evil: 1" })],
  ["a token with a blank in it", encode({ accessToken: "a b" })],
  ["a token that no header can carry", encode({ accessToken: "caf\u00e9" })],
  ["a token beyond any length", encode({ accessToken: "a".repeat(5000) })],
])("a missing or invalid cookie is no session: %s", async (_, value) => {
  expect(await plain.read(new Request("http://nodebeat.test/", { headers: { Cookie: value } }))).toBeNull();
});

test("leaves out a user ID that is not a string", async () => {
  const request = new Request("http://nodebeat.test/", {
    headers: { Cookie: encode({ accessToken: "t", userId: 7 }) },
  });
  expect(await plain.read(request)).toEqual({ accessToken: "t" });
});
