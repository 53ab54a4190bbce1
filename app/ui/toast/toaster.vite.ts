import type { Plugin } from "vite";

const INJECTED_STYLE = /^__insertCSS\(".*"\);?$/m;
const SWIPE_THRESHOLD = "const SWIPE_THRESHOLD = 45;";

/**
 * sonner injects its stylesheet from JavaScript, which the content security policy blocks. The page's own stylesheet
 * includes it instead (toaster.css), so this removes the injection from the bundle. sonner also has no option for the
 * swipe that dismisses a toast: the product specification asks for 20 px (section 9). Throws if an update of sonner has
 * moved either place.
 */
export function toasterPlugin(): Plugin {
  return {
    name: "toaster",
    // Pre-bundled dependencies do not pass through transform.
    config: () => ({ optimizeDeps: { exclude: ["sonner"] } }),
    transform: {
      filter: { id: /\/sonner\/dist\/index\.mjs/ },
      handler(code) {
        if (!INJECTED_STYLE.test(code) || !code.includes(SWIPE_THRESHOLD))
          throw new Error(
            "sonner has changed: app/ui/toast/toaster.vite.ts no longer finds its style injection or swipe threshold.",
          );
        return {
          code: code.replace(INJECTED_STYLE, "").replace(SWIPE_THRESHOLD, "const SWIPE_THRESHOLD = 20;"),
          map: null,
        };
      },
    },
  };
}
