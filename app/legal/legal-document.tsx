import type { ReactNode } from "react";
import type { LegalDocument } from "../../server/legal/contract.ts";
import { ButtonLink } from "../ui/controls/button.tsx";
import { DataCard } from "../ui/data-card.tsx";
import { Link } from "../ui/link.tsx";

const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });

type LegalDocumentPageProps = {
  document: LegalDocument;
  /** The title of the page. */
  title: string;
  /** The address of the current version. */
  href: string;
};

/** Shows a version of a document, its table of contents and links to the other versions. */
export function LegalDocumentPage({ document, title, href }: LegalDocumentPageProps) {
  return (
    <DataCard data={document} title={title}>
      {(known) => <WholeDocument document={known} href={href} />}
    </DataCard>
  );
}

function WholeDocument({ document, href }: Omit<LegalDocumentPageProps, "title">) {
  const { title, version, standing, changes, sections, effectiveFrom } = document;
  return (
    <div className="grid max-w-240 gap-x-12 gap-y-8 lg:grid-cols-[minmax(0,1fr)_13.5rem] print:block">
      <Contents sections={sections} />
      <article className="grid max-w-170 content-start gap-7 wrap-anywhere lg:col-start-1 lg:row-start-1 print:block print:max-w-none">
        <header className="grid gap-4">
          <p className="text-ink-2">
            <span className="hidden print:inline">{title}. </span>
            Version {version}, in force from <Day date={effectiveFrom} />
          </p>
          {standing !== "current" && <NotCurrent standing={standing} href={href} />}
          {changes && (
            <div className="rounded-card border border-line bg-surface px-4.5 py-3.5">
              <h2 className="text-small font-strong">What changed since version {version - 1}</h2>
              <p className="mt-1 text-ink-2">{changes}</p>
            </div>
          )}
        </header>
        {sections.map((section, index) => (
          <DocumentSection key={section.id} number={index + 1} {...section} />
        ))}
        <Versions document={document} href={href} />
      </article>
    </div>
  );
}

function NotCurrent({ standing, href }: Pick<LegalDocument, "standing"> & { href: string }) {
  return (
    <div className="flex flex-wrap items-center gap-3 rounded-card bg-sunken px-4.5 py-3 forced-colors:border">
      <p className="me-auto">
        {standing === "past" ? "This is an older version." : "This version is announced and not in force yet."}
      </p>
      <ButtonLink to={href} size="sm" className="print:hidden">
        Read the version in force
      </ButtonLink>
    </div>
  );
}

const Day = ({ date }: { date: string }) => <time dateTime={date}>{DAY.format(new Date(date))}</time>;

function Contents({ sections }: Pick<LegalDocument, "sections">) {
  return (
    <nav aria-labelledby="contents" className="self-start lg:contents-beside print:hidden">
      <h2 id="contents" className="label mb-2.5">
        Contents
      </h2>
      <ol className="grid gap-0.5 text-small text-ink-2">
        {sections.map(({ id, title }, index) => (
          <li key={id} className="flex gap-2">
            <span aria-hidden="true" className="num w-5 shrink-0 py-1 text-ink-3">
              {index + 1}
            </span>
            <a
              href={`#${id}`}
              className="inline-block min-w-0 py-1 wrap-anywhere no-underline hover:text-ink hover:underline"
            >
              {title}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}

type SectionProps = LegalDocument["sections"][number] & { number: number };

function DocumentSection({ id, number, title, text }: SectionProps) {
  return (
    <section id={id} aria-labelledby={`${id}-title`} className="grid scroll-mt-2 gap-2.5 print:mt-5 print:block">
      <h2 id={`${id}-title`} className="text-brand leading-[1.3] font-bold tracking-[-0.01em] break-after-avoid">
        {number}. {title}
      </h2>
      {/* oxlint-disable react/no-array-index-key -- a published text never changes, and may repeat itself */}
      {text.map((block, index) =>
        typeof block === "string" ? <Paragraph key={index}>{block}</Paragraph> : <Points key={index} points={block} />,
      )}
      {/* oxlint-enable react/no-array-index-key */}
    </section>
  );
}

const Paragraph = ({ children }: { children: ReactNode }) => (
  <p className="text-heading leading-[1.65] text-ink-2 print:mt-2">{children}</p>
);

const Points = ({ points }: { points: string[] }) => (
  <ul className="grid list-disc gap-1.5 ps-5 text-heading leading-[1.65] text-ink-2 marker:text-ink-3 print:mt-2 print:block">
    {points.map((point, index) => (
      // oxlint-disable-next-line react/no-array-index-key -- as above
      <li key={index}>{point}</li>
    ))}
  </ul>
);

/** Lists all versions, because every version stays readable. The hash is stored with each acceptance. */
function Versions({ document: { versions, version, sha256 }, href }: { document: LegalDocument; href: string }) {
  return (
    <footer className="grid gap-2.5 border-t border-line pt-6 text-small text-ink-2 print:mt-6">
      <h2 className="label">All versions</h2>
      <ul className="grid gap-0.5">
        {versions.map((each) => (
          <li key={each.version}>
            {each.version === version ? (
              <span className="inline-block py-1 font-strong text-ink">Version {each.version}, this one</span>
            ) : (
              <Link to={`${href}/${each.version}`} className="inline-block py-1 underline">
                Version {each.version}, from <Day date={each.effectiveFrom} />
              </Link>
            )}
          </li>
        ))}
      </ul>
      <p className="text-hint text-ink-3">
        Fingerprint of this text (SHA-256): <span className="num block break-all">{sha256}</span>
      </p>
    </footer>
  );
}
