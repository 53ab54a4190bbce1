import { useId, useState, type PointerEvent } from "react";
import { toFinite } from "../number/number.ts";
import { barPath } from "./bar-path.ts";

type SparkBarsProps = {
  title: string;
  /** Describes the picture in words. */
  description: string;
  values: number[];
  /** Called with the index of the bar under the pointer, and with null when the pointer has left. */
  onPoint: (index: number | null) => void;
};

/** In pixels. */
const HEIGHT = 64;
/** The gap between two bars, as a share of the space for one bar. */
const GAP = 0.36;

/** Bars scaled to the highest of them, as one path. For several charts side by side, each with its own scale. */
export function SparkBars({ title, description, values, onPoint }: SparkBarsProps) {
  const id = useId();
  const highest = Math.max(...values.map(toFinite), 0);
  const [pointed, setPointed] = useState<number | null>(null);

  function point(index: number | null) {
    setPointed(index);
    onPoint(index);
  }
  function find({ clientX, currentTarget }: PointerEvent<SVGSVGElement>) {
    const { left, width } = currentTarget.getBoundingClientRect();
    point(Math.min(values.length - 1, Math.max(0, Math.floor(((clientX - left) / width) * values.length))));
  }
  return (
    <svg
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an inline drawing cannot be an img element
      role="img"
      aria-label={title}
      aria-describedby={id}
      viewBox={`0 0 ${values.length} ${HEIGHT}`}
      preserveAspectRatio="none"
      height={HEIGHT}
      className="w-full border-y border-line"
      onPointerMove={find}
      onPointerLeave={() => point(null)}
    >
      <desc id={id}>{description}</desc>
      {pointed !== null && <rect x={pointed} width="1" height={HEIGHT} className="fill-sunken" />}
      <path d={values.map((value, index) => outline(value, index, highest)).join("")} className="fill-others" />
    </svg>
  );
}

function outline(value: number, index: number, highest: number): string {
  const height = highest > 0 ? (Math.max(0, toFinite(value)) / highest) * HEIGHT : 0;
  return height === 0 ? "" : barPath({ x: index + GAP / 2, top: HEIGHT - height, width: 1 - GAP, height });
}
