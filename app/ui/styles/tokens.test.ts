import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const css = readFileSync(new URL("tokens.css", import.meta.url), "utf8");
const forced = css.indexOf("@media (forced-colors");
const dark = css.indexOf('[data-theme="dark"] {');
const light = readTokens(css.slice(0, dark));
const themes = { light, dark: { ...light, ...readTokens(css.slice(dark, forced)) } };

function readTokens(block: string): Record<string, number[]> {
  const found = block.matchAll(/--color-([\w-]+): oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)/g);
  return Object.fromEntries(Array.from(found, ([, name, ...values]) => [name, values.map(Number)]));
}

/** Returns the relative luminance of an OKLCH colour (https://bottosson.github.io/posts/oklab/, clipped to sRGB). */
function luminance([lightness = 0, chroma = 0, hue = 0]: number[]): number {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const rgb = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ].map((channel) => Math.min(1, Math.max(0, channel)));
  return [0.2126, 0.7152, 0.0722].reduce((sum, weight, index) => sum + weight * (rgb[index] ?? 0), 0);
}

function contrast(one: number[] | undefined, other: number[] | undefined): number {
  const [high = 0, low = 0] = [luminance(one ?? []), luminance(other ?? [])].sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

const TEXT = [
  ...["ink", "ink-2", "ink-3"].flatMap((text) => ["paper", "surface", "sunken"].map((back) => [text, back])),
  ...["pulse-ink", "bad", "good"].flatMap((text) => ["paper", "surface"].map((back) => [text, back])),
  ["bad", "pulse-soft"],
  ["good", "good-soft"],
  ["info", "info-soft"],
  ["warn", "warn-soft"],
  ["ink-2", "good-soft"],
  ["ink-2", "info-soft"],
  ["ink-2", "warn-soft"],
  ["ink-2", "pulse-soft"],
  ["bad", "good-soft"],
  ["bad", "info-soft"],
  ["on-ink", "ink"],
  ["on-pulse", "pulse-fill"],
  ["on-pulse", "pulse-fill-hover"],
  ["scene-ink", "scene"],
  ["scene-ink-2", "scene"],
];

/** The edges of controls, the focus ring and the colours of the meter. */
const MARKS = [
  ...["line-field", "focus"].flatMap((mark) => ["paper", "surface"].map((back) => [mark, back])),
  ["ink", "sunken"],
  ["good", "sunken"],
];

for (const [name, tokens] of Object.entries(themes)) {
  test.each(TEXT)(`${name}: text in %s on %s has a contrast of 4.5 (WCAG 1.4.3)`, (text = "", back = "") => {
    expect(contrast(tokens[text], tokens[back])).toBeGreaterThanOrEqual(4.5);
  });

  test.each(MARKS)(`${name}: %s on %s has a contrast of 3 (WCAG 1.4.11)`, (mark = "", back = "") => {
    expect(contrast(tokens[mark], tokens[back])).toBeGreaterThanOrEqual(3);
  });
}

test("nothing flashes: every animation takes over a second and is defined in tokens.css (WCAG 2.3.1)", () => {
  const seconds = Array.from(css.matchAll(/--animate-[\w-]+: [\w-]+ ([\d.]+)s /g), ([, each]) => Number(each));
  expect(seconds).toHaveLength(css.match(/@keyframes/g)?.length ?? 0);
  expect(Math.min(...seconds)).toBeGreaterThan(1);
  const others = globSync("../../**/*.{css,ts,tsx}", { cwd: import.meta.dirname }).filter(
    (path) => !/tokens\.css$|\.test\.tsx?$/.test(path),
  );
  const moving = others.filter((path) =>
    /@keyframes|\banimation: |\banimate-(?:\[|spin|ping|pulse|bounce)|\.animate\(/.test(
      readFileSync(`${import.meta.dirname}/${path}`, "utf8"),
    ),
  );
  expect(others.length).toBeGreaterThan(300);
  expect(moving).toEqual([]);
});
