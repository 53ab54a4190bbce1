/** Adds query parameters, numbers or strings, to a path. Leaves out those that are undefined, empty or 0. */
export function withParams(path: string, params: object): string {
  const given = Object.entries(params).flatMap(([name, value]) => (value ? [[name, String(value)]] : []));
  return given.length > 0 ? `${path}?${new URLSearchParams(given)}` : path;
}
