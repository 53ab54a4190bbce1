type CategoryLook = { fill: string; mark: string };

/**
 * How each category of points is coloured, by its name in lower case (product specification, section 3): the class of
 * an area by that of a mark. By the name alone, "constructor" would be found too: every object has one.
 */
const FILLS: Record<string, string> = {
  "bg-connectivity": "fill-connectivity",
  "bg-referral": "fill-referral",
  "bg-rewards": "fill-rewards",
  "bg-others": "fill-others",
};

/** Black on the dark theme would be lost without an edge. */
const UNKNOWN: CategoryLook = {
  fill: "fill-uncategorised dark:stroke-line-strong",
  mark: "bg-uncategorised dark:outline dark:outline-line-strong",
};

/** The classes that colour a category; any the product does not know is black. */
export function categoryLook(category: string | null): CategoryLook {
  const mark = `bg-${category?.toLowerCase()}`;
  const fill = FILLS[mark];
  return fill ? { fill, mark } : UNKNOWN;
}
