/** An address with these parameters, numbers or texts; what is not given is left out of it. */
export function withParams(path: string, params: object): string {
  const given = Object.entries(params).flatMap(([name, value]) => (value ? [[name, String(value)]] : []));
  return given.length > 0 ? `${path}?${new URLSearchParams(given)}` : path;
}
