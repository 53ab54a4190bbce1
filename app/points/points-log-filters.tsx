import { useEffect, useRef } from "react";
import { Form, useSubmit } from "react-router";
import { closePopover } from "../ui/popover.ts";
import { Button } from "../ui/controls/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { Select } from "../ui/controls/select.tsx";
import { formatDay, useClock } from "../ui/time.tsx";
import { SegmentedLinks } from "../ui/table/segmented-links.tsx";
import { CATEGORIES, listLogRanges, toDay, unfilteredHref, type DashboardView, type DateErrors } from "./log-view.ts";
import { Link } from "../ui/link.tsx";

const OPTIONS = [{ value: "", label: "All categories" }, ...CATEGORIES.map((name) => ({ value: name, label: name }))];
const NO_ERRORS: DateErrors = {};
const DATES_ID = "points-log-dates";

type PointsLogFiltersProps = {
  view: DashboardView;
  dateErrors: DateErrors | undefined;
  /** The server's clock when the page was rendered, in milliseconds. */
  now: number;
};

/**
 * Renders a form with the GET method. A new category applies at once. Dates need the button, because they are typed in
 * parts.
 */
export function PointsLogFilters({ view, dateErrors = NO_ERRORS, now }: PointsLogFiltersProps) {
  const { category = "", startDate = "", endDate = "" } = view.log;
  const dates = describeDates(startDate, endDate);
  const hasErrors = Object.keys(dateErrors).length > 0;
  const submit = useSubmit();
  const select = useChosenValue(category);

  function apply(fields: FormData) {
    closePopover();
    void submit(withoutBlanks(fields), { method: "get", preventScrollReset: true, replace: true });
  }

  return (
    <Form
      method="get"
      preventScrollReset
      onSubmit={(event) => {
        event.preventDefault();
        apply(new FormData(event.currentTarget));
      }}
      aria-label="Filter the points log"
      className="flex flex-wrap items-center gap-2.5"
    >
      {/* What the page shows besides the log, such as the chart's range. */}
      {Array.from(new URLSearchParams(unfilteredHref(view).split("?")[1])).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Select
        ref={select}
        label="Category"
        name="category"
        defaultValue={category}
        options={OPTIONS}
        onChange={({ currentTarget: { form } }) => {
          const fields = new FormData(form ?? undefined);
          // Dates that were typed into the popover but not applied do not count.
          if (!hasErrors) for (const [name, day] of Object.entries({ startDate, endDate })) fields.set(name, day);
          apply(fields);
        }}
      />
      {!hasErrors && (
        <button
          type="button"
          popoverTarget={DATES_ID}
          // No element around the words: WebKit would take it for what was pressed, and move the focus past the dates.
          // A text beside the icon would no longer change once a browser translates it (decision 76).
          aria-label={`Dates: ${dates}`}
          translate="no"
          className="select inline-flex items-center gap-2 px-2.5"
        >
          {dates}
          <Icon name="calendar" className="size-3.5 text-ink-3" />
        </button>
      )}
      <DatesPanel view={view} dateErrors={dateErrors} now={now} isOpen={hasErrors} />
      {!hasErrors && (
        <span className="hidden noscript:block">
          <Button type="submit">Apply</Button>
        </span>
      )}
    </Form>
  );
}

/**
 * Keeps a select at a value that also changes elsewhere, for example through Clear filters: the browser itself keeps
 * what the select shows. A choice made before hydration still counts.
 */
function useChosenValue(value: string) {
  const select = useRef<HTMLSelectElement>(null);
  const isFresh = useRef(true);
  useEffect(() => {
    const field = select.current;
    const isChosen = isFresh.current && field?.value !== value;
    isFresh.current = false;
    if (isChosen) field?.dispatchEvent(new Event("change", { bubbles: true }));
    else if (field) field.value = value;
  }, [value]);
  return select;
}

type DatesPanelProps = {
  view: DashboardView;
  dateErrors: DateErrors;
  now: number;
  /** Whether the panel is part of the page rather than in a popover, because it has an error to correct. */
  isOpen: boolean;
};

/** Chooses dates, by hand or by one of the usual ranges, and clears all filters. */
const DatesPanel = ({ view, dateErrors, now, isOpen }: DatesPanelProps) => (
  <div
    {...(isOpen
      ? { className: "mending" }
      : { id: DATES_ID, popover: "auto", role: "group", "aria-label": "Dates", className: "drop-down" })}
  >
    {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events -- it only listens to clicks that bubble up from its links */}
    <div onClick={closePopover} className="flex flex-wrap items-center gap-x-3 gap-y-1.75 text-small">
      <span className="font-strong">Last</span>
      <UsualRanges view={view} now={now} />
    </div>
    <DateInput label="From" name="startDate" value={view.log.startDate} error={dateErrors.startDate} />
    <DateInput label="To" name="endDate" value={view.log.endDate} error={dateErrors.endDate} />
    <Button type="submit">Show</Button>
    <Link
      to={unfilteredHref(view)}
      preventScrollReset
      className="justify-self-start text-small text-ink-2 underline hover:text-ink"
    >
      Clear filters
    </Link>
  </div>
);

/** Follows the clock, because a page may stay open for days. */
const UsualRanges = ({ view, now }: Pick<PointsLogFiltersProps, "view" | "now">) => (
  <SegmentedLinks label="Usual ranges" segments={listLogRanges(view, useClock(now))} />
);

type DateInputProps = {
  label: string;
  name: keyof DateErrors;
  value: string | undefined;
  error: { typed: string; message: string } | undefined;
};

function DateInput({ label, name, value = "", error }: DateInputProps) {
  const shown = error?.typed ?? value;
  const messageId = `${DATES_ID}-${name}`;
  return (
    <div className="grid gap-1.75 text-small">
      <label htmlFor={`${DATES_ID}-input-${name}`} className="font-strong">
        {label}
      </label>
      <input
        // Another filter gets a new input, because the browser itself keeps an input's value.
        key={shown}
        id={`${DATES_ID}-input-${name}`}
        // A date field would drop anything that is not a date.
        type={!shown || toDay(shown) ? "date" : "text"}
        name={name}
        defaultValue={shown}
        className="input"
        // Scrolls to the error and focuses the field.
        {...(error?.message && { autoFocus: true, "aria-invalid": true, "aria-describedby": messageId })}
      />
      {error?.message && (
        <p id={messageId} role="alert" className="text-hint text-bad">
          {error.message}
        </p>
      )}
    </div>
  );
}

/** Drops empty parameters, such as `category=`, for what is not filtered. */
function withoutBlanks(fields: FormData): URLSearchParams {
  const entries = Array.from(fields).flatMap(([name, value]): [string, string][] =>
    typeof value === "string" && value !== "" ? [[name, value]] : [],
  );
  return new URLSearchParams(entries);
}

/** Formats a range of dates, `14 – 20 Nov 2026`, without repeating what both days share. */
export function describeDates(start: string, end: string): string {
  if (!start && !end) return "All dates";
  if (!end) return `From ${formatDay(start)}`;
  if (!start) return `Until ${formatDay(end)}`;
  const first = formatDay(start).split(" ");
  const last = formatDay(end).split(" ");
  if (start === end) return last.join(" ");
  const shared = first[2] !== last[2] ? 3 : first[1] !== last[1] ? 2 : 1;
  return `${first.slice(0, shared).join(" ")} – ${last.join(" ")}`;
}
