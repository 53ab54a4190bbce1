import { renderToStaticMarkup } from "react-dom/server";
import { createRoutesStub } from "react-router";
import { expect, test } from "vitest";
import { brand } from "../../../brand.ts";
import { SidebarProvider } from "./sidebar-context.tsx";
import { Sidebar } from "./sidebar.tsx";

const Page = () => (
  <SidebarProvider initiallyOpen>
    <Sidebar member={null} foot="the wallet's block" />
  </SidebarProvider>
);

// specification: 2.28, 2.34
test("the sidebar has a logo that links to the dashboard, a copyright line and the given foot", () => {
  const Stub = createRoutesStub([{ path: "*", Component: Page }]);
  const html = renderToStaticMarkup(<Stub initialEntries={["/rewards"]} />);
  expect(html).toMatch(
    new RegExp(`^<aside[^>]*><div[^>]*><a [^>]*href="/dashboard"[^>]*><svg.*?${brand.name}</span></a>`),
  );
  expect(html).toContain(brand.copyright);
  expect(html).toContain("the wallet&#x27;s block");
});
