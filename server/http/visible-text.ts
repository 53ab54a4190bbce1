/** What cannot be seen; but within a word joiners are spelling, as in Persian and in Indic scripts, and of emoji. */
const UNSEEN = /\p{Cc}|(?![\u200C\u200D])\p{Cf}|(?:^|\s)[\u200C\u200D]|[\u200C\u200D](?:\s|$)/u;

/** Whether all of a text that is shown to others can be seen, and none of it turns around what stands beside it. */
export const isVisible = (text: string): boolean => !UNSEEN.test(text);

/** Words of others as a line for a terminal, which would take control characters in them for orders. */
export const toLine = (text: string): string => text.replace(/\p{Cc}+/gu, " ");

export const VISIBLE = "Use letters, digits and punctuation.";
