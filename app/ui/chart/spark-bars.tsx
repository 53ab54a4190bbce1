import { useId } from "react";
import { barGeometry } from "./bar-geometry.ts";

type SparkBarsProps = {
  title: string;
  /** The picture in words. */
  description: string;
  bars: { label: string; value: number }[];
};

/** In pixels. */
const HEIGHT = 64;

/** Bars without axes: for several of them side by side, each on a scale of its own. The pointer over a bar names it. */
export function SparkBars({ title, description, bars }: SparkBarsProps) {
  const id = useId();
  const geometry = barGeometry({
    bars: bars.map(({ value }) => ({ value })),
    keys: ["value"],
    average: 0,
    height: HEIGHT,
    top: 0,
  });
  return (
    <svg
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an inline drawing cannot be an img element
      role="img"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-desc`}
      height={HEIGHT}
      className="w-full"
    >
      <title id={`${id}-title`}>{title}</title>
      <desc id={`${id}-desc`}>{description}</desc>
      <line x1="0" x2="100%" y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} className="stroke-line" />
      {geometry.bars.map(({ segments, width, x }, index) => (
        <g key={bars[index]?.label}>
          <title>{bars[index]?.label}</title>
          <rect x={`${x}%`} width={`${width}%`} y="0" height={HEIGHT} fill="transparent" />
          {segments.map(({ height, key, y }) => (
            <rect key={key} x={`${x}%`} width={`${width}%`} y={y} height={height} rx="1.5" className="fill-others" />
          ))}
        </g>
      ))}
    </svg>
  );
}
