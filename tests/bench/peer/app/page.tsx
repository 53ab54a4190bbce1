import { Form, Link, useLoaderData, type LoaderFunctionArgs } from "react-router";

const WORDS = ["heartbeat", "referral", "reward", "comment", "profile", "post", "snapshot", "campaign"];

/** Loads as many rows as requested, so that the page can be made as large as the one it is compared with. */
export function loader({ request }: LoaderFunctionArgs) {
  const count = Number(new URL(request.url).searchParams.get("rows") ?? 10);
  const rows = Array.from({ length: count }, (_, index) => ({
    id: index,
    category: WORDS[index % WORDS.length],
    comment: `${WORDS[(index * 3) % WORDS.length]} ${(index * 7919) % 1009} of ${WORDS[(index * 5) % WORDS.length]}`,
    points: (index * 37) % 1000,
  }));
  return { rows };
}

export default function Page() {
  const { rows } = useLoaderData<typeof loader>();
  return (
    <main className="page">
      <h1>Peer</h1>
      <Form method="get" className="filters">
        <label htmlFor="rows">Rows</label>
        <input id="rows" name="rows" className="input" />
        <button type="submit" className="button">
          Show
        </button>
      </Form>
      <table className="table">
        <tbody>
          {rows.map((row) => (
            <tr key={row.id} className="row">
              <td className="cell">
                <i className="dot" style={{ color: "teal" }} />
                {row.category}
              </td>
              <td className="cell quiet">
                <Link to={`?rows=${row.id}`}>{row.comment}</Link>
              </td>
              <td className="cell number">{row.points}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </main>
  );
}
