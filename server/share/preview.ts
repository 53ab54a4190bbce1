import { COLORS } from "./colors.ts";
import { brand } from "../../brand.ts";

/** An element in the form that satori accepts, without JSX. */
export type Element = { type: string; props: Record<string, unknown> & { children?: Children } };
type Children = string | Element | Element[];

/** The size that chats show best (Open Graph, and X's large card), in pixels. */
export const PREVIEW_SIZE = { width: 1200, height: 630 } as const;

/** The mark from public/favicon.svg and the line of the sign-in page, on grids of 32 by 32 and 1200 by 630. */
const MARK = "M5 17h4.6l3.5-9 5.8 17 3.5-11.4 1.9 3.4H27";
const LINE = "M-20 424H770l22-16 20 16h36l20 26 34-190 38 300 26-136h46l22-26 26 26h190";

/** Draws the preview of a link for chats: the invitation with a code, or the product's own preview without one. */
export const drawPreview = (code: string | null): Element =>
  box({ ...PREVIEW_SIZE, position: "relative", background: COLORS.scene, color: COLORS.ink, fontFamily: "Geist" }, [
    stroke(LINE, { ...PREVIEW_SIZE, strokeWidth: 5, position: "absolute" }),
    box({ ...PREVIEW_SIZE, flexDirection: "column", boxSizing: "border-box", padding: "60px 72px" }, [
      box({ alignItems: "center" }, [
        stroke(MARK, { width: 56, height: 56, grid: "0 0 32 32", strokeWidth: 2.6 }),
        text(brand.name, { marginLeft: 16, fontSize: 38, fontWeight: 600, letterSpacing: -0.8 }),
      ]),
      text(code ? "You are invited." : brand.name, {
        marginTop: 60,
        fontSize: 80,
        fontWeight: 600,
        letterSpacing: -2.8,
        lineHeight: 1.1,
      }),
      text(brand.description, { marginTop: 18, width: 640, fontSize: 30, lineHeight: 1.4, color: COLORS.ink2 }),
      ...(code ? [invitation(code)] : []),
    ]),
  ]);

const invitation = (code: string) =>
  box({ marginTop: "auto", alignItems: "center" }, [
    text("Join with the code", { fontSize: 30, color: COLORS.ink2 }),
    text(code, {
      marginLeft: 24,
      padding: "12px 16px 12px 28px",
      borderRadius: 14,
      background: COLORS.chip,
      fontSize: 48,
      fontWeight: 600,
      // Also applied after the last letter, so there is less padding on that side.
      letterSpacing: 10,
    }),
  ]);

const box = (style: Record<string, unknown>, children: Children): Element => ({
  type: "div",
  props: { style: { display: "flex", ...style }, children },
});

const text = (content: string, style: Record<string, unknown>): Element => box(style, content);

type Stroke = { width: number; height: number; grid?: string; strokeWidth: number; position?: "absolute" };

function stroke(d: string, { grid, height, position, strokeWidth, width }: Stroke): Element {
  const pen = { fill: "none", stroke: COLORS.pulse, strokeWidth, strokeLinecap: "round", strokeLinejoin: "round" };
  return {
    type: "svg",
    props: {
      width,
      height,
      viewBox: grid ?? `0 0 ${width} ${height}`,
      ...(position && { style: { position, top: 0, left: 0 } }),
      children: { type: "path", props: { d, ...pen } },
    },
  };
}
