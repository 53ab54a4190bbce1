import { useNavigation } from "react-router";

/** A thin line at the top while a page is on its way, from 200 ms on: quicker pages show nothing. */
export function ProgressBar() {
  const { state } = useNavigation();
  if (state === "idle") return null;
  return (
    <div className="fixed inset-x-0 top-0 z-50 h-0.5 overflow-hidden">
      <progress aria-label="Loading page" className="sr-only" />
      {/* The animation starts out of sight and waits 200 ms there. */}
      <div className="h-full w-2/5 animate-travel rounded-full bg-pulse" />
    </div>
  );
}
