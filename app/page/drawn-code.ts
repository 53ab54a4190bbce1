/** Where the server draws the QR code of a code's link, but for the ending; null for what it takes for no code. */
export const qrCodePath = (code: string): string | null => (isDrawn(code) ? `/share/${code}/qr` : null);

/** Where the server draws what chats show of a code's link; of the product itself for what it takes for no code. */
export const previewPath = (code: string | null): string =>
  code && isDrawn(code) ? `/share/${code}/preview.png` : "/share/preview.png";

/** As in server/share/routes.ts. */
const isDrawn = (code: string) => /^[A-Za-z\d]{5}$/.test(code);
