/** Six digits that are not the code of a mail. */
export const wrongCode = (code: string | undefined): string => (code === "000000" ? "000001" : "000000");
