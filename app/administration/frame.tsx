import type { ReactNode } from "react";
import { brand } from "../../brand.ts";
import { useNotes } from "../outcome/notes.tsx";
import { ThemeToggle } from "../page/theme-toggle.tsx";
import { Icon } from "../ui/icon.tsx";
import { Link } from "../ui/link.tsx";
import { Logo } from "../ui/logo.tsx";
import { OutcomeCard } from "../ui/outcome-card.tsx";
import { SkipLink } from "../ui/skip-link.tsx";
import { ADMIN_NOTE, formatNote } from "./notes.ts";
import { ADMIN_PAGES, ADMIN_ROOT, findPage, hrefOf } from "./pages.ts";

type FrameProps = {
  title: string;
  pathname: string;
  /** Undefined if this backend has no administration. */
  administrator: { email: string } | undefined;
  /** Whether the frame has links and buttons. They would replace a page that has the only copy of what was typed. */
  hasWaysOut?: boolean;
  children: ReactNode;
};

/** Renders the sidebar and header around every page of the administration. */
export function Frame({ title, pathname, administrator, hasWaysOut = true, children }: FrameProps) {
  const notes = useNotes(ADMIN_NOTE);
  return (
    <div className="admin-frame">
      <SkipLink />
      <aside aria-label="Administration" className="admin-side">
        <div className="admin-brand">
          {hasWaysOut ? <Logo to={administrator ? ADMIN_ROOT : "/dashboard"} /> : <Name />}
          <span className="sidebar-stage">ADMIN</span>
        </div>
        {administrator && <Navigation pathname={pathname} />}
        {hasWaysOut && <Foot email={administrator?.email} />}
      </aside>
      <div className="min-w-0">
        <header className="page-header">
          <h1 className="page-title me-auto">{title}</h1>
          {hasWaysOut && <ThemeToggle />}
        </header>
        <main id="main" tabIndex={-1} className="page">
          {notes.map((note, index) => (
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- a page that comes back starts with the result of its form
            <div key={note.word + note.about} tabIndex={-1} autoFocus={index === 0} className="outline-none">
              <OutcomeCard text={formatNote(note)} isGood />
            </div>
          ))}
          {children}
        </main>
      </div>
    </div>
  );
}

/** The logo without its link. */
const Name = () => (
  <span className="logo">
    <Icon name="pulse" />
    <span>{brand.name}</span>
  </span>
);

function Foot({ email }: { email: string | undefined }) {
  return (
    <div className="admin-foot">
      {email && <p className="truncate text-note text-ink-3">{email}</p>}
      <Link to="/dashboard" className="sidebar-row">
        <Icon name="dashboard" />
        <span>Your dashboard</span>
      </Link>
      <form method="post" action="/auth/logout">
        <button type="submit" className="sidebar-row">
          <Icon name="logOut" />
          <span>Log out</span>
        </button>
      </form>
    </div>
  );
}

function Navigation({ pathname }: { pathname: string }) {
  const { page } = findPage(pathname) ?? {};
  const current = page?.within ?? page?.path;
  return (
    <nav aria-label="Administration" className="admin-nav">
      {ADMIN_PAGES.flatMap(({ path, navigation }) =>
        navigation ? (
          <Link
            key={path}
            to={hrefOf({ path })}
            aria-current={current === path ? "page" : undefined}
            className="sidebar-row"
          >
            <Icon name={navigation.icon} />
            <span>{navigation.label}</span>
          </Link>
        ) : (
          []
        ),
      )}
    </nav>
  );
}
