type CategoryStyle = { fill: string; mark: string };

/**
 * The colours of the categories of points (product specification, section 3): the class of a chart's area by the class
 * of a mark, which ends in the category's lowercase name. By the name alone, "constructor" would be found too, because
 * every object has one.
 */
const FILLS: Record<string, string> = {
  "bg-connectivity": "fill-connectivity",
  "bg-referral": "fill-referral",
  "bg-rewards": "fill-rewards",
  "bg-others": "fill-others",
};

/** On the dark theme, black would be invisible without an outline. */
const UNKNOWN: CategoryStyle = {
  fill: "fill-uncategorised dark:stroke-line-strong",
  mark: "bg-uncategorised dark:outline dark:outline-line-strong",
};

/** Returns the classes that colour a category. Unknown categories are black. */
export function categoryStyle(category: string | null): CategoryStyle {
  const mark = `bg-${category?.toLowerCase()}`;
  const fill = FILLS[mark];
  return fill ? { fill, mark } : UNKNOWN;
}
