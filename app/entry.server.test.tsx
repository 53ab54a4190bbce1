import { lazy, Suspense } from "react";
import {
  Await,
  createRequestHandler,
  Outlet,
  RouterContextProvider,
  useLoaderData,
  type ServerBuild,
} from "react-router";
import { expect, test } from "vitest";
import * as entry from "./entry.server.tsx";
import { HydrateLater } from "./page/hydrate-later.tsx";
import { requestContext } from "./page/request-context.ts";
import { StartScript } from "./page/start-script.tsx";
import { Guard } from "./ui/guard.tsx";

function Root() {
  return (
    <html lang="en">
      <body>
        <Outlet />
        <StartScript />
      </body>
    </html>
  );
}

const ErrorBoundary = () => <p>broken</p>;

type Page = { default: () => React.ReactNode; loader?: () => unknown };

/** Returns as much of a build as a document with one page needs. */
function buildOf(page: Page): ServerBuild {
  const flags = { hasAction: false, hasClientAction: false, hasClientLoader: false, hasClientMiddleware: false };
  const more = {
    hasErrorBoundary: false,
    module: "/page.js",
    clientActionModule: undefined,
    clientLoaderModule: undefined,
    clientMiddlewareModule: undefined,
    hydrateFallbackModule: undefined,
  };
  return {
    entry: { module: entry },
    routes: {
      root: { id: "root", path: "", module: { default: Root, ErrorBoundary } },
      page: { id: "page", parentId: "root", path: "page", module: page },
    },
    assets: {
      entry: { module: "/entry.js", imports: [] },
      routes: {
        root: { id: "root", path: "", hasLoader: false, ...flags, ...more },
        page: { id: "page", parentId: "root", path: "page", hasLoader: Boolean(page.loader), ...flags, ...more },
      },
      url: "/manifest.js",
      version: "1",
    },
    publicPath: "/",
    assetsBuildDirectory: "build",
    future: {},
    ssr: true,
    isSpaMode: false,
    prerender: [],
    routeDiscovery: { mode: "initial", manifestPath: "/__manifest" },
  };
}

async function open(page: Page, init?: RequestInit, nonce = "N0nce", requestId = "request-1") {
  const errors: unknown[] = [];
  const context = new RouterContextProvider();
  context.set(requestContext, {
    nonce,
    requestId,
    oneTime: [nonce],
    reportError: (error) => errors.push(error),
  });
  const handle = createRequestHandler(buildOf(page), "production");
  const response = await handle(new Request("http://nodebeat.test/page", init), context);
  return { status: response.status, type: response.headers.get("Content-Type"), html: await response.text(), errors };
}

test("renders a page as one document, with its hydration data in a script that carries the nonce", async () => {
  const { status, type, html, errors } = await open({
    loader: () => ({ points: "</script>&" }),
    default: () => <p>{useLoaderData<{ points: string }>().points}</p>,
  });

  expect([status, type, errors]).toEqual([200, "text/html; charset=utf-8", []]);
  expect(html).toMatch(/^<!DOCTYPE html><html lang="en">.*<p>&lt;\/script&gt;&amp;<\/p>.*<\/body><\/html>$/s);
  const [, handed] =
    /<script nonce="N0nce">\{let c=[^<]*c\.enqueue\('([^']*)'\);c\.close\(\)\}<\/script>/.exec(html) ?? [];
  expect(handed).toContain('"\\u003c/script\\u003e\\u0026"');
  // Every script of the page carries the nonce.
  expect(html.match(/<script/g)?.length).toBe(html.match(/<script[^>]* nonce="N0nce"/g)?.length);
  // Its modules load later: nothing in the page requests one but that script.
  expect(html).toMatch(/<script nonce="N0nce">[^<]*"\/page\.js"/);
  expect(html).not.toMatch(/<link|<script[^>]* (?:src|type)=/);
});

test("hands the whole document to takeWhole and leaves the response body empty", async () => {
  const build = buildOf({ default: () => <p>whole</p> });
  const context = new RouterContextProvider();
  const taken: string[] = [];
  const takeWhole = (document: Uint8Array) => void taken.push(Buffer.from(document).toString());
  context.set(requestContext, { nonce: "N0nce", requestId: "request-1", takeWhole });
  const response = await createRequestHandler(build, "production")(new Request("http://nodebeat.test/page"), context);
  expect([response.status, response.body, taken.length]).toEqual([200, null, 1]);
  expect(response.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
  expect(taken[0]).toMatch(/^<!DOCTYPE html>.*<p>whole<\/p>.*<\/html>$/s);
});

test("serves the third request for a page with the same data from the cache, with its own nonce", async () => {
  let renderings = 0;
  let points = 25;
  const page: Page = {
    loader: () => ({ points }),
    default: function Points() {
      renderings += 1;
      return <p>{useLoaderData<{ points: number }>().points} points</p>;
    },
  };
  await open(page, undefined, "once");
  const first = await open(page, undefined, "first");
  const second = await open(page, undefined, "second");
  expect(renderings).toBe(2);
  expect(second.html).toBe(first.html.replaceAll("first", "second"));

  points = 50;
  const third = await open(page, undefined, "third");
  expect(renderings).toBe(3);
  expect(third.html).toMatch(/50<!-- --> points/);
});

test("a request id chosen by the client reaches the browser and changes nothing else in the page", async () => {
  const ids = ["stylesheet", "stylesheet", "stylesheet", "c47a09d1-visitor"];
  for (const [index, id] of ids.entries()) {
    const page: Page = {
      loader: () => ({ id, links: "&utm" }),
      default: () => <link rel="stylesheet" href="/page.css" title={useLoaderData<{ links: string }>().links} />,
    };
    const { html } = await open(page, undefined, `nonce-${index}`, id);
    expect(html).toContain('<link rel="stylesheet" href="/page.css" title="&amp;utm"/>');
    expect(html).toContain(`"${id}"`);
    expect(html).toContain("u0026utm");
  }
});

test("sends deferred data in the same response", async () => {
  const { html } = await open({
    loader: () => ({ late: Promise.resolve("after the rest") }),
    default: () => (
      <Suspense fallback="waiting">
        <Await resolve={useLoaderData<{ late: Promise<string> }>().late}>{(text) => <p>{text}</p>}</Await>
      </Suspense>
    ),
  });
  expect(html).toContain("<p>after the rest</p>");
});

test("sends a lazily loaded component in the same response", async () => {
  const Late = lazy(async () => ({ default: () => <p>its code has come</p> }));
  const { status, html, errors } = await open({
    default: () => (
      <Suspense fallback="waiting">
        <Late />
      </Suspense>
    ),
  });
  expect([status, errors]).toEqual([200, []]);
  expect(html).toContain("<p>its code has come</p>");
});

test("reports an error in a loader or a page, and responds with 500 without its message", async () => {
  const failure = new Error("secret");
  const inLoader = await open({
    loader: () => {
      throw failure;
    },
    default: () => null,
  });
  const inPage = await open({
    default: () => {
      throw failure;
    },
  });
  expect([inLoader.status, inPage.status]).toEqual([500, 500]);
  expect([inLoader.errors, inPage.errors]).toEqual([[failure], [failure]]);
  expect(inLoader.html + inPage.html).not.toContain("secret");
});

test("a part that fails to render shows its fallback, leaves other parts intact and is reported once", async () => {
  const failure = new Error("secret");
  const { status, html, errors } = await open({
    default: () => (
      <main>
        <Guard data={[]} fallback={<p>not here</p>}>
          {() => {
            throw failure;
          }}
        </Guard>
        <Guard data="another part" fallback={null}>
          {(text) => <p>{text.repeat(2_000)}</p>}
        </Guard>
      </main>
    ),
  });
  expect([status, errors]).toEqual([200, [failure]]);
  // The fallback is in its place without a script, and so is what comes after it, however long.
  expect(html.slice(html.indexOf("<main>"), html.indexOf("</main>"))).toMatch(/<p>not here<\/p>.*<p>another part/);
  expect(html).not.toContain(" hidden ");
});

test("responds with 500 if a part that hydrates later fails to render", async () => {
  const failure = new Error("secret");
  const { status, errors } = await open({
    default: () => (
      <HydrateLater>
        <Failing failure={failure} />
      </HydrateLater>
    ),
  });
  expect([status, errors]).toEqual([500, [failure]]);
});

function Failing({ failure }: { failure: Error }): never {
  throw failure;
}

test("does not report a response that a loader throws", async () => {
  const { status, errors } = await open({
    loader: () => {
      throw new Response(null, { status: 404 });
    },
    default: () => null,
  });
  expect([status, errors]).toEqual([404, []]);
});

test("HEAD is answered like GET, without a body", async () => {
  const { status, type, html } = await open({ default: () => <p>page</p> }, { method: "HEAD" });
  expect([status, type, html]).toEqual([200, "text/html; charset=utf-8", ""]);
});
