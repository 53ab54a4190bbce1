/**
 * Colours from app/ui/styles/tokens.css in hexadecimal, for the dark picture next to the sign-in form, which is the
 * same in both themes.
 */
export const COLORS = {
  scene: "#16181e",
  ink: "#f5f5f5",
  ink2: "#bcbec5",
  pulse: "#e2312f",
  chip: "#25272e",
  /** QR codes are dark on light in both themes, because not every reader can read inverted ones. */
  module: "#16181e",
  quiet: "#ffffff",
} as const;
