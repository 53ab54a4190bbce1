import { arc, pie, type PieArcDatum } from "d3-shape";

export type DonutPart = { key: string; value: number };

const RADIUS = 48;
const THICKNESS = 15;
/** The gap between two parts, in radians: one hundredth of the ring. */
const GAP = (2 * Math.PI) / 100;

/**
 * The outline of each part of a ring of radius 48, centred on the origin, clockwise from the top in the given order.
 * Parts that are not positive have none.
 */
export function donutArcs(parts: DonutPart[]): { key: string; path: string }[] {
  const drawn = parts.filter(({ value }) => value > 0);
  const arcs = pie<DonutPart>()
    .sort(null)
    .value(({ value }) => value)
    .padAngle(drawn.length > 1 ? GAP : 0)(drawn);
  const outline = arc<PieArcDatum<DonutPart>>()
    .innerRadius(RADIUS - THICKNESS / 2)
    .outerRadius(RADIUS + THICKNESS / 2)
    .padRadius(RADIUS)
    .digits(2);
  return arcs.map((part) => ({ key: part.data.key, path: outline(part) ?? "" }));
}
