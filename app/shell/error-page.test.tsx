import { renderToStaticMarkup } from "react-dom/server";
import { MemoryRouter, UNSAFE_ErrorResponseImpl as ErrorResponseImpl } from "react-router";
import { expect, test } from "vitest";
import { ErrorPage } from "./error-page.tsx";

function render(error: unknown) {
  return renderToStaticMarkup(
    <MemoryRouter>
      <ErrorPage error={error} requestId="0193-ab" />
    </MemoryRouter>,
  );
}

test("a page that does not exist says so, with the request's id and a way home", () => {
  const html = render(new ErrorResponseImpl(404, "Not Found", null));
  expect(html).toContain("This page does not exist");
  expect(html).toContain("0193-ab");
  expect(html).toMatch(/<a [^>]*href="\/"[^>]*>Go home/);
});

test("an unexpected error keeps its message to itself", () => {
  const html = render(new Error("connection to 10.0.0.7 refused"));
  expect(html).toContain("Something went wrong, please try again!");
  expect(html).not.toContain("10.0.0.7");
});
