import { encode } from "uqr";
import { COLORS } from "./colors.ts";
import { brand } from "../../brand.ts";

/** How many light modules surround the code. Without them, readers cannot find it (ISO/IEC 18004). */
const QUIET_ZONE = 4;

/** Draws a link as a QR code in SVG. It stays readable if a seventh is damaged, for example by a crease. */
export function drawQrCode(link: string): string {
  const { data, size } = encode(link, { ecc: "M", border: QUIET_ZONE });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" role="img" aria-labelledby="title desc" shape-rendering="crispEdges">`,
    `<title id="title">QR code of an invitation to ${brand.name}</title>`,
    `<desc id="desc">It leads to ${escapeXml(link)}</desc>`,
    `<path fill="${COLORS.quiet}" d="M0 0h${size}v${size}H0z"/>`,
    `<path fill="${COLORS.module}" d="${data.flatMap(drawRow).join("")}"/>`,
    "</svg>",
  ].join("");
}

/** Draws the dark modules of a row. Adjacent ones become one rectangle. */
function drawRow(row: boolean[], y: number): string[] {
  return row.flatMap((dark, x) => {
    if (!dark || row[x - 1]) return [];
    const end = row.indexOf(false, x);
    return [`M${x} ${y}h${(end < 0 ? row.length : end) - x}v1H${x}z`];
  });
}

const escapeXml = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
