import { Hono } from "hono";
import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";
import { runAsCaller, clientCaller } from "../fair-share/caller.ts";
import { limitKeyOf } from "../http/client.ts";
import { onlyRead } from "../http/middleware/only-read.ts";
import { isCurrent } from "../http/static/etag.ts";
import type { HttpContext, HttpEnv } from "../http/http-env.ts";
import { LIMITS } from "../rate-limits/rules.ts";
import { createDrawingThread, type DrawingThread } from "./drawing-thread.ts";
import { createPictures, type Picture, type PictureRequest } from "./pictures.ts";

/** The format of personal codes, with some leeway for those of other backends. Anything else is not a code. */
const CODE = ":code{[A-Za-z0-9]{5}}";

/**
 * Cache times in seconds. A code never changes, but the design may. A fallback picture must only be cached for a
 * moment.
 */
const [LONG, SHORT] = [86_400, 60];

export type ShareOptions = {
  /** The public address of the product. Defaults to the address of the request. */
  publicUrl?: string | undefined;
  thread?: DrawingThread;
  limits: Pick<Deps["limits"], "take" | "tryTake">;
  /** Whether a member has this code. */
  isInvitation: (code: string) => Promise<boolean>;
};

/**
 * Creates the routes that show a member's link elsewhere: its preview in chats, and its QR code to show and print.
 * Limits how many new pictures a client can request before anything is looked up, and never draws codes that nobody
 * has.
 */
export function shareRoutes({ publicUrl, limits, isInvitation, thread = createDrawingThread() }: ShareOptions) {
  const pictures = createPictures(thread);
  const linkOf = (code: string, c: HttpContext) =>
    `${publicUrl ?? new URL(c.req.url).origin}/auth/signup?referralCode=${code}`;

  /**
   * Describes who wants a picture of a code. `mayDraw` takes one from the client's limit before it looks the code up.
   */
  const toPictureRequest = (code: string, c: HttpContext, limit: "take" | "tryTake"): PictureRequest => {
    const client = limitKeyOf(c.get("clientAddress"));
    const caller = clientCaller(client);
    const mayDraw = async () => {
      const taken = await limits[limit](LIMITS.pictureByClient, client);
      return taken !== false && isInvitation(code);
    };
    return { caller, mayDraw: () => runAsCaller(caller, mayDraw) };
  };

  return new Hono<HttpEnv>()
    .all("/share/preview.png", onlyRead, async (c) => send(c, await pictures.general()))
    .all(`/share/${CODE}/preview.png`, onlyRead, async (c) => {
      const code = c.req.param("code");
      const own = await pictures.preview(code, toPictureRequest(code, c, "tryTake"));
      // The same fallback for unknown codes and for clients over their limit, so that every link has a picture.
      return own ? send(c, own) : send(c, await pictures.general(), SHORT);
    })
    .all(`/share/${CODE}/qr.png`, onlyRead, async (c) => {
      const code = c.req.param("code");
      return send(c, required(await pictures.qrPng(linkOf(code, c), toPictureRequest(code, c, "take"))));
    })
    .all(`/share/${CODE}/qr.svg`, onlyRead, async (c) => {
      const code = c.req.param("code");
      return send(c, required(await pictures.qrSvg(linkOf(code, c), toPictureRequest(code, c, "take"))));
    });
}

function required(picture: Picture | undefined): Picture {
  if (picture) return picture;
  throw new AppError("NOT_FOUND", "There is no such invitation.");
}

function send(c: HttpContext, { type, body, etag }: Picture, seconds = LONG): Response {
  const headers = {
    ETag: etag,
    "Cache-Control": `public, max-age=${seconds}`,
    // The pictures are made to be shown on other sites.
    "Cross-Origin-Resource-Policy": "cross-origin",
  };
  if (isCurrent(c.req.header("if-none-match"), etag)) return new Response(null, { status: 304, headers });
  return new Response(body, { headers: { ...headers, "Content-Type": type, "Content-Length": String(body.length) } });
}
