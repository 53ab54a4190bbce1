type DonutPart = { key: string; value: number };

export type DonutArc = { key: string; path: string; /** In per cent of the whole. */ share: number };

const INNER = 40.5;
const OUTER = 55.5;
/** The gap between two parts. Its width is the same from edge to edge, and one hundredth of the ring in the middle. */
const GAP = 3;
const GAP_ANGLE = GAP / ((INNER + OUTER) / 2);

/**
 * Returns the outline of each part of a ring that is centred on the origin, clockwise from the top in the given order.
 * Leaves out parts that are not positive. Written by hand, because d3-shape's arcs can do far more, and would add too
 * much to the dashboard's script.
 */
export function donutArcs(parts: DonutPart[]): DonutArc[] {
  const drawn = parts.filter(({ value }) => value > 0);
  const sum = drawn.reduce((total, { value }) => total + value, 0);
  const gap = drawn.length > 1 ? GAP_ANGLE : 0;
  const perValue = (2 * Math.PI - gap * drawn.length) / sum;
  let from = 0;
  return drawn.map(({ key, value }) => {
    const to = from + value * perValue + gap;
    const path = gap ? outline(from, to) : RING;
    from = to;
    return { key, path, share: (100 * value) / sum };
  });
}

function outline(from: number, to: number): string {
  const [outerFrom, outerTo] = inset(from, to, OUTER);
  const [innerFrom, innerTo] = inset(from, to, INNER);
  const large = to - from > Math.PI ? 1 : 0;
  return `M${at(outerFrom, OUTER)}A${OUTER},${OUTER},0,${large},1,${at(outerTo, OUTER)}L${at(innerTo, INNER)}A${INNER},${INNER},0,${large},0,${at(innerFrom, INNER)}Z`;
}

/** Returns the angles at which a part begins and ends at a radius, half a gap away from its neighbours. */
function inset(from: number, to: number, radius: number): [number, number] {
  const half = Math.min(Math.asin(GAP / 2 / radius), (to - from) / 2);
  return [from + half, to - half];
}

/** Formats the point at an angle, which is measured clockwise from the top. */
const at = (angle: number, radius: number) =>
  [Math.sin(angle) * radius, -Math.cos(angle) * radius].map((length) => Math.round(length * 100) / 100).join(",");

/** Draws a circle in two halves, because an arc from a point to itself draws nothing. */
const circle = (radius: number, sweep: 0 | 1) =>
  `M0,${-radius}A${radius},${radius},0,1,${sweep},0,${radius}A${radius},${radius},0,1,${sweep},0,${-radius}Z`;
const RING = circle(OUTER, 1) + circle(INNER, 0);
