import { data } from "react-router";

/** Every address that is no page. The root's error page shows it, within the reader's theme. */
export function loader() {
  throw data(null, { status: 404 });
}

/** Nor can anything be sent there. */
export const action = () => loader();

export default function NotFoundRoute() {
  return null;
}
