import { createHash } from "node:crypto";
import type { DrawingThread } from "./drawing-thread.ts";
import { drawQrCode } from "./qr-code.ts";

export type Picture = { type: "image/png" | "image/svg+xml"; body: Uint8Array<ArrayBuffer>; etag: string };

/** Pictures that are kept, of about 40 kB each. */
const KEPT = 200;

/**
 * The pictures of a code: the same for one that exists and one that does not, in looks and in time, since nobody is
 * asked. Each is drawn once for all who want it at the same time, and those asked for last are kept.
 */
export function createPictures({ draw }: DrawingThread, kept = KEPT) {
  const pictures = new Map<string, Promise<Picture>>();

  function find(key: string, make: () => Promise<Picture>): Promise<Picture> {
    const picture = pictures.get(key) ?? make();
    pictures.delete(key);
    pictures.set(key, picture);
    // The next one who asks may have more luck.
    picture.catch(() => pictures.delete(key));
    for (const oldest of pictures.keys()) {
      if (pictures.size <= kept) break;
      pictures.delete(oldest);
    }
    return picture;
  }

  return {
    preview: (code: string | null) => find(`preview ${code}`, async () => toPicture("image/png", await draw({ code }))),
    qrPng: (link: string) => find(`png ${link}`, async () => toPicture("image/png", await draw({ link }))),
    qrSvg: (link: string) =>
      find(`svg ${link}`, async () => toPicture("image/svg+xml", new TextEncoder().encode(drawQrCode(link)))),
  };
}

function toPicture(type: Picture["type"], body: Uint8Array<ArrayBuffer>): Picture {
  return { type, body, etag: `"${createHash("sha256").update(body).digest("base64url").slice(0, 20)}"` };
}
