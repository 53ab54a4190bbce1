import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";
import type { Requester } from "../http/endpoint.ts";
import { LIMITS } from "../rate-limits/rules.ts";
import { recordEvent } from "../security-activity/service.ts";
import { DATA_EXPORT_FORMAT, DATA_EXPORT_VERSION, DataSections, type DataSection } from "./contract.ts";
import { HOLDINGS, type Owner } from "./holdings.ts";
import { findOwner, readRows } from "./holdings.queries.ts";
import { findWaitingMail } from "./waiting-mail.ts";

type ExportDeps = Pick<Deps, "db" | "limits" | "now" | "outbox">;

/**
 * Exports everything that is kept about a member, as pieces of one JSON text. Each piece is made when the one before
 * has been read, so only one batch of rows is in memory. A session is enough to ask for it, because the member's pages
 * show the same. Records that it was asked for. Throws TOO_MANY_ATTEMPTS and NOT_FOUND.
 */
export async function exportData(deps: ExportDeps, { caller: { userId }, client }: Requester) {
  await deps.limits.take(LIMITS.dataExportByAccount, userId);
  const owner = await findOwner(deps.db, userId);
  if (!owner) throw new AppError("NOT_FOUND", "There is no such member.");
  await recordEvent(deps, { userId, kind: "data-exported", client });
  const exportedAt = deps.now().toISOString();
  return { name: `${DATA_EXPORT_FORMAT}-${exportedAt.slice(0, 10)}.json`, text: write(deps, owner, exportedAt) };
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of a constant
const SECTIONS = Object.keys(DataSections.shape) as DataSection[];

async function* write(deps: ExportDeps, owner: Owner, exportedAt: string): AsyncGenerator<string> {
  const about = { format: DATA_EXPORT_FORMAT, version: DATA_EXPORT_VERSION, exported_at: exportedAt };
  yield JSON.stringify(about).slice(0, -1);
  for (const section of SECTIONS) {
    yield `,\n"${section}": [`;
    let separator = "\n";
    for await (const rows of readSection(deps, section, owner)) {
      yield separator + rows.join(",\n");
      separator = ",\n";
    }
    yield "]";
  }
  yield "}\n";
}

const readSection = (deps: ExportDeps, section: DataSection, owner: Owner) =>
  section === "waiting_mail" ? readWaitingMail(deps, owner) : readRows(deps.db, HOLDINGS[section], owner);

async function* readWaitingMail(deps: ExportDeps, owner: Owner) {
  for await (const { subject, dueAt, expiresAt } of findWaitingMail(deps, deps.db, owner)) {
    yield [JSON.stringify({ subject, due_at: dueAt, expires_at: expiresAt })];
  }
}
