import { categoryStyle } from "./categories.ts";

/** Shows a category's name after a square in its colour. */
export function CategoryMark({ category }: { category: string }) {
  return (
    <span className="swatched">
      <i className={`swatch ${categoryStyle(category).mark}`} />
      {category}
    </span>
  );
}
