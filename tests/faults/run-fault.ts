import type { Fault, Options } from "./fault.ts";

type Settings = Partial<Pick<Options, "minutes" | "seconds" | "times">> & {
  isPlanted: boolean;
  print: (line: string) => void;
};

/** With a defect, a few strikes are enough. */
const PLANTED_TIMES = 3;
const MINUTES = 5;

/**
 * Runs one fault. Resolves to whether everything was as it should be; with a planted defect, to whether that was found.
 */
export async function runFault(fault: Fault, { isPlanted, minutes = MINUTES, print, ...given }: Settings) {
  print(`\n${fault.name}: ${fault.title}${isPlanted ? ", and a defect" : ""}`);
  const obstacle = fault.findObstacle?.();
  if (obstacle) {
    print(`  skipped: ${obstacle}`);
    return true;
  }
  const missed: string[] = [];
  const report = {
    expect(sentence: string, isTrue: boolean) {
      print(`  ${isTrue ? "✓" : "✗"} ${sentence}`);
      if (!isTrue) missed.push(sentence);
    },
    note: (sentence: string) => print(`    ${sentence}`),
  };
  const usual = fault.times ?? 1;
  const times = given.times ?? (isPlanted ? Math.min(usual, PLANTED_TIMES) : usual);
  await fault.run(report, { ...given, minutes, times, ...(isPlanted && { defect: fault.planted }) });
  if (!isPlanted) return missed.length === 0;
  const isFound = missed.some((sentence) => fault.finds.test(sentence));
  print(isFound ? "  The defect was found." : "  The defect was NOT found.");
  return isFound;
}
