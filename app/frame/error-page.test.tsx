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

test("a forbidden page offers to use another account, and no retry", () => {
  const html = render(respond(403));
  expect(html).toMatch(/<a [^>]*href="\/auth\/logout"[^>]*>Use another account/);
  expect(html).not.toContain("Try again");
});

test("an unexpected error hides its message and offers a retry", () => {
  const html = render(new Error("connection to 10.0.0.7 refused"));
  expect(html).toContain("Something went wrong, please try again!");
  expect(html).not.toContain("10.0.0.7");
  expect(html).toMatch(/<a [^>]*href="\/rewards\?page=2"[^>]*>Try again/);
});

test("says that an error was logged only for a server error, not for a 400 or 405", () => {
  expect(render(respond(500))).toContain("The error has been logged.");
  for (const status of [400, 405]) expect(render(respond(status))).toContain("Trying again often helps.");
});

test("an unavailable page offers a retry and a link to the status page", () => {
  const html = render(respond(503));
  expect(html).toContain("We cannot reach your data right now");
  expect(html).toContain("Try again");
  expect(html).toMatch(/<a [^>]*href="\/status"[^>]*>See the status page<\/a>/);
});

test("shows the request id of the error rather than that of the document", () => {
  const html = render(respond(500, { requestId: "0194-cd" }));
  expect(html).toContain("0194-cd");
  expect(html).not.toContain("0193-ab");
});
