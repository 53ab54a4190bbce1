import { useSlowNavigation } from "./slow-navigation.ts";

/** A thin line at the top, and a word for who listens, while a page is long on its way. */
export function ProgressBar() {
  const slow = useSlowNavigation();
  return (
    // There before it has anything to say, so that what it says is read out.
    <output>
      {slow && (
        <>
          <span className="sr-only">Loading the page</span>
          <span aria-hidden className="fixed inset-x-0 top-0 z-50 h-0.5 overflow-hidden">
            <span className="block h-full w-2/5 animate-travel rounded-full bg-ink motion-reduce:w-full motion-reduce:animate-none" />
          </span>
        </>
      )}
    </output>
  );
}
