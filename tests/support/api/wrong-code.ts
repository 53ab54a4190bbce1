/** Returns six digits that are not the code of an email. */
export const wrongCode = (code: string | undefined): string => (code === "000000" ? "000001" : "000000");
