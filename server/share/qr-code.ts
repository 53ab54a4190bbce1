import { encode } from "uqr";
import { COLORS } from "./colors.ts";
import { brand } from "../../brand.ts";

/** Modules of light around it, without which readers do not find it (ISO/IEC 18004). */
const QUIET_ZONE = 4;

/** A link as a QR code in SVG; a seventh of it may be unreadable, as after a crease in paper. */
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

/** The dark modules of a row, those beside each other as one. */
function drawRow(row: boolean[], y: number): string[] {
  return row.flatMap((dark, x) => {
    if (!dark || row[x - 1]) return [];
    const end = row.indexOf(false, x);
    return [`M${x} ${y}h${(end < 0 ? row.length : end) - x}v1H${x}z`];
  });
}

const escapeXml = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
