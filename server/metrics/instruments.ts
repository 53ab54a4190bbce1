import { Counter, Gauge, Histogram, type Registry } from "prom-client";

export type Instruments = ReturnType<typeof createInstruments>;

/** In seconds. Most responses take milliseconds; hashing a password takes a good part of a second. */
const DURATIONS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * Creates counters, gauges and histograms in a registry. The values of labels are lists in the code, and never come
 * from clients.
 */
export function createInstruments(registry: Registry) {
  const registers = [registry];
  const options = (name: string, help: string) => ({ name: `nodebeat_${name}`, help, registers });

  const durations = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Histogram({ ...options(name, help), labelNames, buckets: DURATIONS });

  const gauge = <Label extends string = never>(name: string, help: string, labelNames: Label[] = []) =>
    new Gauge({ ...options(name, help), labelNames });

  const plainCounter = (name: string, help: string) => new Counter(options(name, help));

  /** Creates a counter that starts at 0 for each value, so that the first event shows as an increase. */
  function openCounter<Value extends string>(name: string, help: string, label: string, values: readonly Value[]) {
    const opened = new Counter({ ...options(name, help), labelNames: [label] });
    for (const value of values) opened.inc({ [label]: value }, 0);
    return { counter: opened, count: (value: Value, by = 1) => opened.inc({ [label]: value }, by) };
  }

  const counter = <Value extends string>(name: string, help: string, label: string, values: readonly Value[]) =>
    openCounter(name, help, label, values).count;

  return { durations, gauge, plainCounter, openCounter, counter };
}
