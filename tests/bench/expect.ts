/** Prints whether something is as it should be, and makes the command fail if not. */
export function expect(what: string, isSo: boolean): void {
  console.log(`${isSo ? "yes" : "NO "}  ${what}`);
  if (!isSo) process.exitCode = 1;
}
