/** How the names of our connections begin, by which a restore finds the servers that use a database. */
const OURS = "nodebeat";

/** Returns an address with the name of its connections. If the address gives a name itself, that follows ours. */
export function nameConnections(databaseUrl: string) {
  const url = new URL(databaseUrl);
  const given = url.searchParams.get("application_name");
  if (given === null) return { connectionString: databaseUrl, application_name: OURS };
  // Otherwise the address would have the last word.
  url.searchParams.delete("application_name");
  return { connectionString: url.href, application_name: `${OURS} ${given}`.trim() };
}
