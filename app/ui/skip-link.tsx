/** The first stop of the keyboard: past the sidebar and the header. */
export function SkipLink() {
  return (
    <a href="#main" className="skip-link">
      Skip to the content
    </a>
  );
}
