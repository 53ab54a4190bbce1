type Box = { x: number; top: number; width: number; height: number };

/** Returns a bar as a piece of a path, so that many bars of one colour are one element. */
export const barPath = ({ x, top, width, height }: Box): string =>
  `M${round(x)} ${round(top)}h${round(width)}v${round(height)}h-${round(width)}z`;

const round = (value: number) => String(Math.round(value * 100) / 100).replace(/^0\./, ".");
