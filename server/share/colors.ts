/** Of app/ui/styles/tokens.css, in hexadecimal: the picture beside the sign-in form, which is dark in both themes. */
export const COLORS = {
  scene: "#16181e",
  ink: "#f5f5f5",
  ink2: "#bcbec5",
  pulse: "#e2312f",
  chip: "#25272e",
  /** A code is dark on light in both themes: not every reader takes it the other way round. */
  module: "#16181e",
  quiet: "#ffffff",
} as const;
