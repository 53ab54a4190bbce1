import { data } from "react-router";

/** Answers every address that is not a page with 404. The root's error page shows it in the reader's theme. */
export function loader() {
  throw data(null, { status: 404 });
}

/** Nothing can be sent to such an address either. */
export const action = () => loader();

export default function NotFoundRoute() {
  return null;
}
