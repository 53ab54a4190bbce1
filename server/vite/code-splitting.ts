type Graph = { getModuleInfo: (id: string) => { importers: readonly string[] } | null };

/**
 * How many pages must share a module to give it a file, which the first of them loads: of members' pages, and of the
 * few visitors' pages.
 */
const MANY_PAGES = 5;
const MANY_VISITORS_PAGES = 3;

/** What every document begins with. */
const ROOT = /\/app\/root\.tsx/;
/** Starts the page as soon as it is read, so it has its own file, which is read last. */
const ENTRY = /\/app\/entry\.client\.tsx/;
const FRAME = /\/app\/frame\/shell\.route\.tsx/;
/** Where members begin. Whatever this page shares with another one is already in the members' file. */
const HOME = /\/app\/dashboard\/dashboard\.route\.tsx/;
const PAGE = /\/app\/.*\.route\.tsx/;
/** A visitors' page. The log-out page is not one, because whoever opens it is still a member. */
const VISITORS_PAGE = /\/app\/auth\/(?!log-out).*\.route\.tsx/;
const VISITORS_FRAME = /\/app\/auth\/auth-(?:frame|layout)\.route\.tsx/;

/**
 * Returns the file that a module of ours goes into, according to who needs it, or null if it stays with its page. Many
 * small files are larger than a few, because each is compressed alone. No visitor loads what only members need.
 */
export function nameSharedChunk(id: string, graph: Graph): "common" | "member" | "visitor" | null {
  if (ENTRY.test(id)) return null;
  const users = [...findUsers(id, graph)];
  if ([id, ...users].some((user) => ROOT.test(user) || ENTRY.test(user))) return "common";
  const pages = new Set(users.filter((user) => PAGE.test(user)).map((user) => user.replace(/\?.*/, "")));
  const visitorsPages = [...pages].filter((page) => VISITORS_PAGE.test(page));
  const isForVisitors = visitorsPages.length > 0;
  const membersPages = pages.size - visitorsPages.length;
  const isForHome = pages.size > 1 && users.some((user) => HOME.test(user));
  if (isForHome || membersPages >= MANY_PAGES || users.some((user) => FRAME.test(user)))
    return isForVisitors ? "common" : "member";
  if ([id, ...users].some((user) => VISITORS_FRAME.test(user))) return membersPages > 0 ? "common" : "visitor";
  return visitorsPages.length >= MANY_VISITORS_PAGES ? "visitor" : null;
}

/** Returns everything that imports a module, directly or through others. Dynamic imports do not count. */
function findUsers(id: string, graph: Graph, users = new Set<string>()): Set<string> {
  for (const importer of graph.getModuleInfo(id)?.importers ?? []) {
    if (users.has(importer)) continue;
    users.add(importer);
    findUsers(importer, graph, users);
  }
  return users;
}
