type Graph = { getModuleInfo: (id: string) => { importers: readonly string[] } | null };

/**
 * What so many pages share is worth a file that the first of them loads: of members' pages, and of the few of visitors.
 */
const MANY_PAGES = 5;
const MANY_VISITORS_PAGES = 3;

/** What every document begins with. */
const ROOT = /\/app\/root\.tsx/;
/** Starts the page as it is read, so it has a file of its own, which is read last. */
const ENTRY = /\/app\/entry\.client\.tsx/;
const FRAME = /\/app\/frame\/shell\.route\.tsx/;
/** Where members begin: whatever it shares with another page is in their file already. */
const HOME = /\/app\/dashboard\/dashboard\.route\.tsx/;
const PAGE = /\/app\/.*\.route\.tsx/;
/** Who leaves is a member still. */
const VISITORS_PAGE = /\/app\/auth\/(?!log-out).*\.route\.tsx/;
const VISITORS_FRAME = /\/app\/auth\/auth-(?:frame|layout)\.route\.tsx/;

/**
 * The file that a module of ours goes into, by who needs it; null for one that stays with its page. Many small files
 * are larger than few, since each is compressed alone; and no visitor loads what only members need.
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

/** Whatever imports a module, at once or through others. What is loaded later, by a call, is not followed. */
function findUsers(id: string, graph: Graph, users = new Set<string>()): Set<string> {
  for (const importer of graph.getModuleInfo(id)?.importers ?? []) {
    if (users.has(importer)) continue;
    users.add(importer);
    findUsers(importer, graph, users);
  }
  return users;
}
