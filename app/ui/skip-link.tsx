/** The first stop of the keyboard: past the sidebar and the header. */
export function SkipLink() {
  return (
    <a
      href="#main"
      className="fixed start-3 top-3 z-50 -translate-y-24 rounded-control forced-color-adjust-none bg-ink px-4 py-2.5 text-small font-strong text-on-ink focus:translate-y-0"
    >
      Skip to the content
    </a>
  );
}
