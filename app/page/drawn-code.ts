/**
 * Returns where the server draws the QR code of a code's link, without the file extension. Null if it is not a code to
 * the server.
 */
export const qrCodePath = (code: string): string | null => (isDrawn(code) ? `/share/${code}/qr` : null);

/**
 * Returns where the server draws the preview that chats show of a code's link. Without such a code, it is the product's
 * own preview.
 */
export const previewPath = (code: string | null): string =>
  code && isDrawn(code) ? `/share/${code}/preview.png` : "/share/preview.png";

/** The same rule as in server/share/routes.ts. */
const isDrawn = (code: string) => /^[A-Za-z\d]{5}$/.test(code);
