import type { Fault } from "./fault.ts";

type Settings = { minutes: number; times?: number; isPlanted: boolean; say: (line: string) => void };

/** With a defect a few times are enough. */
const PLANTED_TIMES = 3;

/** Runs one fault. Resolves to whether all was as it should be: with a planted defect, whether that was found. */
export async function runFault(fault: Fault, { isPlanted, minutes, say, times }: Settings): Promise<boolean> {
  say(`\n${fault.name}: ${fault.title}${isPlanted ? ", and a defect" : ""}`);
  const obstacle = fault.findObstacle?.();
  if (obstacle) {
    say(`  skipped: ${obstacle}`);
    return true;
  }
  const missed: string[] = [];
  const report = {
    expect(sentence: string, isTrue: boolean) {
      say(`  ${isTrue ? "✓" : "✗"} ${sentence}`);
      if (!isTrue) missed.push(sentence);
    },
    tell: (sentence: string) => say(`    ${sentence}`),
  };
  const usual = fault.times ?? 1;
  const options = { minutes, times: times ?? (isPlanted ? Math.min(usual, PLANTED_TIMES) : usual) };
  await fault.run(report, { ...options, ...(isPlanted && { defect: fault.planted }) });
  if (!isPlanted) return missed.length === 0;
  say(missed.length > 0 ? "  The defect was found." : "  The defect was NOT found.");
  return missed.length > 0;
}
