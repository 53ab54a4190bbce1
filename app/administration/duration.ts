const STEPS = [
  { unit: "s", seconds: 1, below: 120 },
  { unit: "min", seconds: 60, below: 7200 },
  { unit: "h", seconds: 3600, below: 172_800 },
  { unit: "d", seconds: 86_400, below: Infinity },
];

/** `90 s`, `12 min`, `5 h`, `3 d`. */
export function formatDuration(seconds: number): string {
  const step = STEPS.find(({ below }) => seconds < below);
  return step ? `${Math.floor(seconds / step.seconds)} ${step.unit}` : "–";
}
