import { digestBody } from "../http/static/etag.ts";
import { keepNewest } from "../keep-newest.ts";
import type { DrawingThread } from "./drawing-thread.ts";
import { drawQrCode } from "./qr-code.ts";

export type Picture = { type: "image/png" | "image/svg+xml"; body: Uint8Array<ArrayBuffer>; etag: string };

/** For whom a picture is, and whether it may be made for them where it is not kept: asked only then. */
export type Wish = { caller: string; mayMake: () => Promise<boolean> };

/** Pictures that are kept, of about 40 kB each. */
const KEPT = 200;

/**
 * The pictures of codes. Each is drawn once for all who want it at the same time, and those asked for last are kept.
 * Undefined for one that is not kept and may not be made.
 */
export function createPictures({ draw }: DrawingThread, kept = KEPT) {
  const pictures = new Map<string, Promise<Picture>>();
  let general: Promise<Picture> | undefined;

  async function find(key: string, { mayMake }: Wish, make: () => Promise<Picture>): Promise<Picture | undefined> {
    if (!pictures.has(key) && !(await mayMake())) return undefined;
    const picture = pictures.get(key) ?? make();
    keepNewest(pictures, key, picture, kept);
    // The next one who asks may have more luck.
    picture.catch(() => pictures.delete(key));
    return picture;
  }

  return {
    /** The product's own preview, drawn once and kept for good. */
    general(): Promise<Picture> {
      general ??= draw({ code: null }, "everybody").then((body) => toPicture("image/png", body));
      // Here, too, the next one who asks may have more luck.
      general.catch(() => (general = undefined));
      return general;
    },
    preview: (code: string, wish: Wish) =>
      find(`preview ${code}`, wish, async () => toPicture("image/png", await draw({ code }, wish.caller))),
    qrPng: (link: string, wish: Wish) =>
      find(`png ${link}`, wish, async () => toPicture("image/png", await draw({ link }, wish.caller))),
    qrSvg: (link: string, wish: Wish) =>
      find(`svg ${link}`, wish, async () => toPicture("image/svg+xml", new TextEncoder().encode(drawQrCode(link)))),
  };
}

function toPicture(type: Picture["type"], body: Uint8Array<ArrayBuffer>): Picture {
  return { type, body, etag: `"${digestBody(body)}"` };
}
