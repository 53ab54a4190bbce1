type CategoryLook = { fill: string; mark: string };

/** How each category of points is coloured, by its name in lower case (product specification, section 3). */
const LOOKS: Record<string, CategoryLook> = {
  connectivity: { fill: "fill-connectivity", mark: "bg-connectivity" },
  referral: { fill: "fill-referral", mark: "bg-referral" },
  rewards: { fill: "fill-rewards", mark: "bg-rewards" },
  others: { fill: "fill-others", mark: "bg-others" },
};

/** Black on the dark theme would be lost without an edge. */
const UNKNOWN: CategoryLook = {
  fill: "fill-uncategorised dark:stroke-line-strong",
  mark: "bg-uncategorised dark:outline dark:outline-line-strong",
};

/** The classes that colour a category; any the product does not know is black. */
export function categoryLook(category: string | null): CategoryLook {
  return LOOKS[category?.toLowerCase() ?? ""] ?? UNKNOWN;
}
