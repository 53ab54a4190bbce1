import { createStaticHandler, RouterContextProvider, type ActionFunction } from "react-router";
import { expect, test } from "vitest";
import { action, loader } from "./preference.route.ts";

const PATHS = ["/shell/theme", "/shell/sidebar", "/shell/first-steps", "/shell/continue"];
const handler = createStaticHandler(PATHS.map((path) => ({ path, action: action as ActionFunction, loader })));

async function post(path: string, fields: Record<string, string>) {
  const request = new Request(`http://nodebeat.test${path}`, { method: "POST", body: new URLSearchParams(fields) });
  const response: Response = await handler.queryRoute(request, { requestContext: new RouterContextProvider() });
  const { status, headers } = response;
  return { status, location: headers.get("Location"), cookie: headers.get("Set-Cookie") };
}

test("sets the theme and redirects back", async () => {
  expect(await post("/shell/theme", { theme: "dark", returnTo: "/dashboard?range=30" })).toEqual({
    status: 303,
    location: "/dashboard?range=30",
    cookie: "theme=dark; Path=/; SameSite=Lax; Max-Age=31536000",
  });
});

test("an unknown theme falls back to light", async () => {
  expect((await post("/shell/theme", { theme: "pink" })).cookie).toContain("theme=light;");
});

// specification: 2.32
test("collapses the sidebar and redirects back", async () => {
  expect(await post("/shell/sidebar", { open: "false", returnTo: "/faqs" })).toEqual({
    status: 303,
    location: "/faqs",
    cookie: "sidebar_state=false; Path=/; SameSite=Lax; Max-Age=604800",
  });
});

test.each([
  ["0192-member", "0192-member"],
  ["who; Domain=evil.test", ""],
])("hides the first steps, storing the member only if valid: %s", async (member, kept) => {
  expect(await post("/shell/first-steps", { member, returnTo: "/dashboard" })).toEqual({
    status: 303,
    location: "/dashboard",
    cookie: `first_steps_hidden=${kept}; Path=/; SameSite=Lax; Max-Age=31536000`,
  });
});

test("hides the small-screen card for the session, and does not redirect off the site", async () => {
  expect(await post("/shell/continue", { returnTo: "//evil.test/" })).toEqual({
    status: 303,
    location: "/",
    cookie: "mobile_continued=true; Path=/; SameSite=Lax",
  });
});

test.each(PATHS)("%s responds with 400 to a body that is not a form", async (path) => {
  const request = new Request(`http://nodebeat.test${path}`, { method: "POST", body: "{}" });
  const answer = handler.queryRoute(request, { requestContext: new RouterContextProvider() });
  await expect(answer).rejects.toMatchObject({ status: 400 });
});

test.each(PATHS)("opening %s redirects to the home page", async (path) => {
  const response: Response = await handler.queryRoute(new Request(`http://nodebeat.test${path}`), {
    requestContext: new RouterContextProvider(),
  });
  expect([response.status, response.headers.get("Location")]).toEqual([302, "/"]);
});
