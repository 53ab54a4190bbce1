import { registerHooks } from "node:module";
import type { Defect } from "./defect.ts";

/*
 * Loaded before the server (`node --import`), in its process only: puts a defect into one of its files while that is
 * loaded, so that the product itself contains no defects.
 */

const { file, from, to } = JSON.parse(new URL(import.meta.url).searchParams.get("defect") ?? "{}") as Defect;

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (!url.endsWith(`/${file}`)) return loaded;
    const source = Buffer.from(loaded.source as Uint8Array).toString();
    if (source.split(from).length !== 2) throw new Error(`${file} does not have once what is to be replaced`);
    return { ...loaded, source: source.replace(from, () => to) };
  },
});
