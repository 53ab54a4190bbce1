import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Meter } from "./meter.tsx";

test.each([
  [62, 100, "62%", "fill-ink"],
  [100, 100, "100%", "fill-good"],
  [140, 100, "100%", "fill-good"],
  [0, 0, "0%", "fill-ink"],
  [Number.NaN, 100, "0%", "fill-ink"],
])("%d of %d fills %s, green once it is complete and never red", (value, max, width, fill) => {
  const html = renderToStaticMarkup(<Meter label="Heartbeats" value={value} max={max} />);
  expect(html).toContain(`<rect width="${width}" height="100%" rx="4" class="${fill}"`);
});
