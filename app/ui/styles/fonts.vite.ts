import type { Plugin } from "vite";

const SWAPPED = /font-display:\s*swap/g;

/**
 * Fontsource lets its fonts replace the fallbacks whenever they arrive. A fallback is never quite as wide, so that
 * would move a page while it is being read. With this, a font that is late stays away until the next document. Throws
 * if an update of Fontsource has moved the place.
 */
export function fontsPlugin(): Plugin {
  return {
    name: "fonts",
    transform: {
      // The stylesheet with all its imports, as Tailwind has assembled it.
      filter: { id: { include: /\/app\/styles\.css/, exclude: /\?url$/ } },
      handler(code) {
        if (code.search(SWAPPED) < 0) throw new Error("app/ui/styles/fonts.vite.ts no longer finds how fonts arrive.");
        return { code: code.replaceAll(SWAPPED, "font-display: optional"), map: null };
      },
    },
  };
}
