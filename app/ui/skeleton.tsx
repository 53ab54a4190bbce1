/** A placeholder for text that is still loading. Size it with classes. Screen readers skip it. */
export function Skeleton({ className = "" }: { className?: string }) {
  return (
    <span
      aria-hidden
      className={`block h-3 animate-shimmer rounded-small bg-linear-to-r from-sunken via-line to-sunken bg-size-[200%_100%] forced-colors:border ${className}`}
    />
  );
}
