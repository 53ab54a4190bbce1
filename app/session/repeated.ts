/** What says of a form that it was sent before, and that no answer came: what it asks for may have been done. */
export const REPEATED: Record<string, string> = { "X-Nodebeat-Repeated": "1" };

export const isRepeated = ({ headers }: Pick<Request, "headers">): boolean =>
  Object.entries(REPEATED).every(([name, value]) => headers.get(name) === value);
