/** Says whether something is as it has to be, and has the command fail where it is not. */
export function expect(what: string, isSo: boolean): void {
  console.log(`${isSo ? "yes" : "NO "}  ${what}`);
  if (!isSo) process.exitCode = 1;
}
