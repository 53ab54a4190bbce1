import { categoryLook } from "./categories.ts";

/** A category's name behind a square of its colour. */
export function CategoryMark({ category }: { category: string }) {
  return (
    <span className="swatched">
      <i className={`swatch ${categoryLook(category).mark}`} />
      {category}
    </span>
  );
}
