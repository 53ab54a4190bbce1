import * as z from "zod";
import { FileText, LINE_END, MAX_CHARACTERS, type CompletionFileResults } from "../../../server/campaigns/contract.ts";
import { ApiError } from "../../api/api-error.ts";
import type { CheckedField } from "../../forms/use-checked-form.ts";
import { Card } from "../../ui/card.tsx";
import { Field } from "../../ui/controls/field.tsx";
import { formatNumber } from "../../ui/number/number.ts";
import { Pill } from "../../ui/pill.tsx";
import { Table, type Column } from "../../ui/table/table.tsx";
import { ActionForm, MEMBER_HINT, TextArea } from "../action-form.tsx";
import { defineForm, definePage, type Shown } from "../page.ts";

const NO_LINES = "Choose a file, or paste its lines.";
/** How many lines of the result one page shows. A file may have a hundred thousand lines with errors. */
const MOST_SHOWN = 1000;
const FIRST_LINE = "member,campaignId,completedAt";

const FileInput = z.object({
  /** The pasted lines, or the lines of the previous file that are to be corrected. */
  lines: z.string().max(MAX_CHARACTERS, "That is too long: send it in parts.").default(""),
  file: FileText.max(MAX_CHARACTERS, "The file is too long: send it in parts.").default(""),
});

const importForm = defineForm({
  intent: "import-completions",
  schema: FileInput,
  files: true,
  async send({ lines, file, reason }, { api }) {
    const text = file.trim() === "" ? lines : file;
    if (text.trim() === "") throw new ApiError(NO_LINES, "VALIDATION_ERROR", 400, { fromServer: true });
    const results = await api.campaigns.importCompletions({ format: "csv", text, reason });
    return { content: { text, results }, values: { lines: listRefused(text, results) } };
  },
});

const isDone = ({ outcome }: CompletionFileResults["lines"][number]) => outcome === "recorded" || outcome === "already";

/** Returns the lines that were not recorded, below the column names, to correct and send again. */
function listRefused(text: string, { lines }: CompletionFileResults): string {
  const all = text.replace(/^\uFEFF/, "").split(LINE_END);
  const refused = lines.filter((each) => !isDone(each)).map(({ line }) => line - 1);
  if (refused.length === 0) return "";
  const head = all.findIndex((line) => line.trim() !== "");
  // If the column names were wrong, nothing below them was read.
  if (refused.includes(head)) return all.join("\n");
  return [...new Set([head, ...refused].map((index) => all[index] ?? ""))].join("\n");
}

export const completionsPage = definePage({
  path: "completions",
  title: "Import completions",
  within: "campaigns",
  load: async () => ({}),
  forms: [importForm],
  Page: ({ shown }) => (
    <div className="grid gap-4.5">
      <Outcome shown={shown} />
      <Card title="Import completions" className="max-w-190">
        <ActionForm form={importForm} shown={shown} submit="Import" reasonHint={MEMBER_HINT}>
          {(field) => <ImportFields field={field} />}
        </ActionForm>
      </Card>
    </div>
  ),
});

function ImportFields({ field }: { field: (name: "file" | "lines") => CheckedField }) {
  // Browsers forget which file was chosen, so after a mistake the text area below shows its contents, if they are text.
  const { defaultValue: read, ...file } = field("file");
  const { data: lines } = FileText.safeParse(read);
  return (
    <>
      <p className="max-w-170 text-ink-2">
        Choose a CSV file whose first line is <code className="num">{FIRST_LINE}</code>, or has semicolons or tabs in
        place of the commas. Name each member by email address or id. Leave the time empty to use the current time, or
        write it with its time zone, such as <code className="num whitespace-nowrap">2026-12-01T00:00:00Z</code>. Lines
        that you have imported before have no effect.
      </p>
      <Field
        {...file}
        label="File"
        type="file"
        accept=".csv,text/csv,text/plain"
        className="admin-file"
        hint="200 kB at most."
      />
      <TextArea
        {...field("lines")}
        {...(lines !== undefined && { defaultValue: lines })}
        label="Or paste its lines"
        rows={8}
        maxLength={MAX_CHARACTERS}
        isOptional
        hint="Used if you choose no file."
      />
    </>
  );
}

type Imported = { text: string; results: CompletionFileResults };

/** Shows the result of each line, lines with errors first. */
function Outcome({ shown: { returned } }: { shown: Shown }) {
  if (!returned?.content) return null;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only one form of this page returns content
  const { results, text } = returned.content as Imported;
  const given = text.replace(/^\uFEFF/, "").split(LINE_END);
  const refused = results.lines.filter((each) => !isDone(each));
  const rows = [...refused, ...results.lines.filter(isDone)];
  const known = rows.length - refused.length - results.recorded;
  const first = rows.slice(0, MOST_SHOWN);
  return (
    <Card title="Result of each line" padded={false}>
      {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- a page that comes back starts with the result of its form */}
      <output tabIndex={-1} autoFocus className="block px-4.5 pb-3.5 outline-none">
        {formatNumber(results.recorded)} recorded, {formatNumber(known)} already recorded,{" "}
        {formatNumber(refused.length)} not recorded.
        {refused.length > 0 && " The lines with errors are in the form below. Correct them and send them again."}
        {first.length < rows.length &&
          ` The first ${formatNumber(first.length)} lines are shown, those with errors first.`}
      </output>
      {rows.length > 0 && (
        <Table caption="Result of each line" rows={first} rowKey={({ line }) => line} columns={listColumns(given)} />
      )}
    </Card>
  );
}

const listColumns = (given: string[]): Column<CompletionFileResults["lines"][number]>[] => [
  { head: "Line", align: "end", className: "num w-px", cell: ({ line }) => line },
  {
    head: "Result",
    cell: (row) => (
      <Pill tone={isDone(row) ? (row.outcome === "recorded" ? "good" : "mute") : "warn"}>{row.message}</Pill>
    ),
  },
  { head: "Text", cell: ({ line }) => given[line - 1], className: "num min-w-40 break-all" },
];
