import { renderToStaticMarkup } from "react-dom/server";
import { createRoutesStub, UNSAFE_ErrorResponseImpl as ErrorResponseImpl } from "react-router";
import { expect, test } from "vitest";
import { ErrorPage } from "./error-page.tsx";

function render(error: unknown) {
  const Stub = createRoutesStub([
    { id: "root", path: "*", Component: () => null, ErrorBoundary: () => <ErrorPage error={error} /> },
  ]);
  const hydrationData = { loaderData: { root: { requestId: "0193-ab" } }, errors: { root: error } };
  return renderToStaticMarkup(<Stub initialEntries={["/rewards?page=2"]} hydrationData={hydrationData} />);
}

const respond = (status: number, data: unknown = null) => new ErrorResponseImpl(status, "", data);

test("a page that does not exist says so, with the request's id and a way home", () => {
  const html = render(respond(404));
  expect(html).toContain("This page does not exist");
  expect(html).toContain("0193-ab");
  expect(html).toMatch(/<a [^>]*href="\/"[^>]*>Go home/);
  expect(html).not.toContain("Try again");
  expect(html).not.toContain("/status");
});

test("what this account may not see is a matter of another account", () => {
  const html = render(respond(403));
  expect(html).toMatch(/<a [^>]*href="\/auth\/logout"[^>]*>Use another account/);
  expect(html).not.toContain("Try again");
});

test("an unexpected error keeps its message to itself, and can be tried again", () => {
  const html = render(new Error("connection to 10.0.0.7 refused"));
  expect(html).toContain("Something went wrong, please try again!");
  expect(html).not.toContain("10.0.0.7");
  expect(html).toMatch(/<a [^>]*href="\/rewards\?page=2"[^>]*>Try again/);
});

test("only what went wrong here is said to be in the log, and no refusal", () => {
  expect(render(respond(500))).toContain("The error has been logged.");
  for (const status of [400, 405]) expect(render(respond(status))).toContain("Trying again often helps.");
});

test("what is unavailable can be tried again, or be looked up on the status page", () => {
  const html = render(respond(503));
  expect(html).toContain("We cannot reach your data right now");
  expect(html).toContain("Try again");
  expect(html).toMatch(/<a [^>]*href="\/status"[^>]*>See the status page<\/a>/);
});

test("the id that the error itself carries counts", () => {
  const html = render(respond(500, { requestId: "0194-cd" }));
  expect(html).toContain("0194-cd");
  expect(html).not.toContain("0193-ab");
});
