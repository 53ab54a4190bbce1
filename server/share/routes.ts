import { Hono } from "hono";
import { isCurrent } from "../http/serve-static.ts";
import type { HttpContext, HttpEnv } from "../http/http-env.ts";
import { createDrawingThread, type DrawingThread } from "./drawing-thread.ts";
import { createPictures, type Picture } from "./pictures.ts";

/** As personal codes are written; with some room for those of other backends. Anything else is no code. */
const CODE = ":code{[A-Za-z0-9]{5}}";

type ShareOptions = {
  /** Where the product is reached from outside; the request's own address unless given. */
  publicUrl?: string | undefined;
  thread?: DrawingThread;
};

/** What a member's link looks like elsewhere: its preview in chats, and its QR code to show and to print. */
export function shareRoutes({ publicUrl, thread = createDrawingThread() }: ShareOptions): Hono<HttpEnv> {
  const pictures = createPictures(thread);
  const linkOf = (code: string, c: HttpContext) =>
    `${publicUrl ?? new URL(c.req.url).origin}/auth/signup?referralCode=${code}`;

  return new Hono<HttpEnv>()
    .get("/share/preview.png", async (c) => send(c, await pictures.preview(null)))
    .get(`/share/${CODE}/preview.png`, async (c) => send(c, await pictures.preview(c.req.param("code"))))
    .get(`/share/${CODE}/qr.png`, async (c) => send(c, await pictures.qrPng(linkOf(c.req.param("code"), c))))
    .get(`/share/${CODE}/qr.svg`, async (c) => send(c, await pictures.qrSvg(linkOf(c.req.param("code"), c))));
}

function send(c: HttpContext, { type, body, etag }: Picture): Response {
  const headers = {
    ETag: etag,
    // The code never changes, the looks may.
    "Cache-Control": "public, max-age=86400",
    // Made to be shown elsewhere.
    "Cross-Origin-Resource-Policy": "cross-origin",
  };
  if (isCurrent(c.req.header("if-none-match"), etag)) return new Response(null, { status: 304, headers });
  return new Response(body, { headers: { ...headers, "Content-Type": type, "Content-Length": String(body.length) } });
}
