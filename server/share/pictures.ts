import { digestBody } from "../http/static/etag.ts";
import { setAndEvictOldest } from "../set-and-evict-oldest.ts";
import type { DrawingThread } from "./drawing-thread.ts";
import { drawQrCode } from "./qr-code.ts";

export type Picture = { type: "image/png" | "image/svg+xml"; body: Uint8Array<ArrayBuffer>; etag: string };

/**
 * Who requests a picture, and whether it may be drawn for them. `mayDraw` is only called if the picture is not cached.
 */
export type PictureRequest = { caller: string; mayDraw: () => Promise<boolean> };

/** How many pictures to cache, of about 40 kB each. */
const MAX_CACHED = 200;

/**
 * Creates a cache of pictures of codes. Simultaneous requests share one drawing, and the most recently requested
 * pictures are kept. Returns undefined for a picture that is not cached and may not be drawn.
 */
export function createPictures({ draw }: DrawingThread, kept = MAX_CACHED) {
  const pictures = new Map<string, Promise<Picture>>();
  let general: Promise<Picture> | undefined;

  async function find(
    key: string,
    { mayDraw }: PictureRequest,
    make: () => Promise<Picture>,
  ): Promise<Picture | undefined> {
    if (!pictures.has(key) && !(await mayDraw())) return undefined;
    const picture = pictures.get(key) ?? make();
    setAndEvictOldest(pictures, key, picture, kept);
    // A failure is not cached: the next request may succeed.
    picture.catch(() => pictures.get(key) === picture && pictures.delete(key));
    return picture;
  }

  return {
    /** The product's own preview. Drawn once and kept forever. */
    general(): Promise<Picture> {
      const picture = (general ??= draw({ code: null }, "everybody").then((body) => toPicture("image/png", body)));
      // Here, too, a failure is not cached.
      picture.catch(() => {
        if (general === picture) general = undefined;
      });
      return picture;
    },
    preview: (code: string, request: PictureRequest) =>
      find(`preview ${code}`, request, async () => toPicture("image/png", await draw({ code }, request.caller))),
    qrPng: (link: string, request: PictureRequest) =>
      find(`png ${link}`, request, async () => toPicture("image/png", await draw({ link }, request.caller))),
    qrSvg: (link: string, request: PictureRequest) =>
      find(`svg ${link}`, request, async () => toPicture("image/svg+xml", new TextEncoder().encode(drawQrCode(link)))),
  };
}

function toPicture(type: Picture["type"], body: Uint8Array<ArrayBuffer>): Picture {
  return { type, body, etag: `"${digestBody(body)}"` };
}
