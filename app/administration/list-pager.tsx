import { ButtonLink } from "../ui/controls/button.tsx";

type ListPagerProps = {
  url: { pathname: string; search: string };
  /** The cursor of the next page, or null on the last one. */
  next: string | null;
};

/** Links to the next and the first page of a list that is read page by page and never counted. */
export function ListPager({ url: { pathname, search }, next }: ListPagerProps) {
  const isFirst = !new URLSearchParams(search).has("after");
  if (isFirst && next === null) return null;
  return (
    <nav aria-label="Pages" className="admin-pager">
      {!isFirst && <ButtonLink to={pathname + toSearch(search, null)}>First page</ButtonLink>}
      {next !== null && <ButtonLink to={pathname + toSearch(search, next)}>Next page</ButtonLink>}
    </nav>
  );
}

function toSearch(search: string, after: string | null): string {
  const params = new URLSearchParams(search);
  if (after === null) params.delete("after");
  else params.set("after", after);
  return params.size > 0 ? `?${params}` : "";
}
