import { readFile } from "node:fs/promises";
import { constants, setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import { Resvg } from "@resvg/resvg-js";
import satori from "satori";
import type { DrawJob, Drawn } from "./drawing-thread.ts";
import { drawPreview, PREVIEW_SIZE } from "./preview.ts";
import { drawQrCode } from "./qr-code.ts";

// On Linux, 0 means the calling thread (setpriority(2), notes). Elsewhere it would mean the whole process.
if (process.platform === "linux") setPriority(0, constants.priority.PRIORITY_LOW);

/** In pixels: wide enough to print. */
const QR_WIDTH = 1024;

const readFont = async (weight: 400 | 600, address: string) => ({
  name: "Geist",
  weight,
  data: await readFile(new URL(address)),
});
const fonts = await Promise.all([
  readFont(400, import.meta.resolve("@fontsource/geist/files/geist-latin-400-normal.woff")),
  readFont(600, import.meta.resolve("@fontsource/geist/files/geist-latin-600-normal.woff")),
]);

parentPort?.on("message", (job: DrawJob) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- only a window's needs an origin
  void perform(job).then((drawn) => parentPort?.postMessage(drawn));
});

async function perform(job: DrawJob): Promise<Drawn> {
  try {
    return { png: "link" in job ? paint(drawQrCode(job.link), QR_WIDTH) : await paintPreview(job.code) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

async function paintPreview(code: string | null) {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as JSX creates it; satori expects React's type
  const element = drawPreview(code) as unknown as Parameters<typeof satori>[0];
  return paint(await satori(element, { ...PREVIEW_SIZE, fonts }), PREVIEW_SIZE.width);
}

/** Renders an SVG. Its letters are already paths, so no fonts of the machine are loaded. */
const paint = (svg: string, width: number) =>
  new Resvg(svg, { fitTo: { mode: "width", value: width }, font: { loadSystemFonts: false } }).render().asPng();
