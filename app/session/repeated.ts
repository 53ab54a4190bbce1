/** The header of a form that was sent before and got no response: what it asks for may have been done. */
export const REPEATED: Record<string, string> = { "X-Nodebeat-Repeated": "1" };

export const isRepeated = ({ headers }: Pick<Request, "headers">): boolean =>
  Object.entries(REPEATED).every(([name, value]) => headers.get(name) === value);
