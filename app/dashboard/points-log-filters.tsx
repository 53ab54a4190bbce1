import type { FormEvent } from "react";
import { Form, Link, useSubmit } from "react-router";
import { Button } from "../ui/button.tsx";
import { inputClass } from "../ui/field.tsx";
import { Icon } from "../ui/icon.tsx";
import { Select } from "../ui/select.tsx";
import { formatDay } from "../ui/time.tsx";
import { CATEGORIES } from "./dashboard-view.ts";

/** Dates are calendar days such as `2026-11-20`. */
export type PointsLogFilter = { category?: string; startDate?: string; endDate?: string };

const OPTIONS = [{ value: "", label: "All categories" }, ...CATEGORIES.map((name) => ({ value: name, label: name }))];
const DATES_ID = "points-log-dates";

type PointsLogFiltersProps = { filter: PointsLogFilter; keep?: Record<string, string>; clearHref: string };

/** A form of method GET: a change applies itself, and without a script there is a button. */
export function PointsLogFilters({ filter, keep, clearHref }: PointsLogFiltersProps) {
  const submit = useSubmit();
  const { category = "", startDate = "", endDate = "" } = filter;

  function applyChange(event: FormEvent<HTMLFormElement>) {
    const form = event.currentTarget;
    if (form.checkValidity())
      void submit(withoutBlanks(form), { method: "get", preventScrollReset: true, replace: true });
  }

  return (
    <Form
      // Remounted when the filter changes elsewhere, such as by Clear filters: the fields are the browser's own.
      key={`${category} ${startDate} ${endDate}`}
      method="get"
      preventScrollReset
      onChange={applyChange}
      aria-label="Filter the points log"
      className="flex flex-wrap items-center gap-2.5"
    >
      {Object.entries(keep ?? {}).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Select label="Category" name="category" defaultValue={category} options={OPTIONS} />
      <button
        type="button"
        popoverTarget={DATES_ID}
        className="inline-flex h-8.5 items-center gap-2 rounded-control border border-line-field bg-surface px-2.5 text-small hover:bg-sunken"
      >
        <span className="sr-only">Dates: </span>
        {describeDates(startDate, endDate)}
        <Icon name="calendar" className="size-3.5 text-ink-3" />
      </button>
      <div
        id={DATES_ID}
        popover="auto"
        className="m-auto w-70 rounded-card bg-surface p-4 text-ink shadow-float open:grid open:gap-3.5 supports-[position-area:bottom]:m-0 supports-[position-area:bottom]:mt-1.5 supports-[position-area:bottom]:[position-area:bottom_span-left] supports-[position-area:bottom]:[position-try-fallbacks:flip-block,flip-inline]"
      >
        <DateInput label="From" name="startDate" value={startDate} max={endDate} />
        <DateInput label="To" name="endDate" value={endDate} min={startDate} />
        <Link
          to={clearHref}
          preventScrollReset
          className="justify-self-start text-small text-ink-2 underline underline-offset-2 hover:text-ink"
        >
          Clear filters
        </Link>
      </div>
      <span className="hidden noscript:block">
        <Button type="submit">Apply</Button>
      </span>
    </Form>
  );
}

type DateInputProps = { label: string; name: string; value: string; min?: string; max?: string };

function DateInput({ label, name, value, min, max }: DateInputProps) {
  return (
    <label className="grid gap-1.75 text-small font-strong">
      {label}
      <input
        type="date"
        name={name}
        defaultValue={value}
        min={min || undefined}
        max={max || undefined}
        className={inputClass("font-normal")}
      />
    </label>
  );
}

/** Addresses without `category=` and the like for what is not filtered. */
function withoutBlanks(form: HTMLFormElement): URLSearchParams {
  const entries = Array.from(new FormData(form)).flatMap(([name, value]): [string, string][] =>
    typeof value === "string" && value !== "" ? [[name, value]] : [],
  );
  return new URLSearchParams(entries);
}

/** `14 – 20 Nov 2026`, leaving out what both days share. */
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
