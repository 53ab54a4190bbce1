import { categoryLook } from "./categories.ts";

/** A category's name behind a square of its colour. */
export function CategoryMark({ category }: { category: string }) {
  return (
    <span className="flex items-center gap-2.25">
      <i
        aria-hidden
        className={`size-2 shrink-0 rounded-mark forced-color-adjust-none ${categoryLook(category).mark}`}
      />
      {category}
    </span>
  );
}
