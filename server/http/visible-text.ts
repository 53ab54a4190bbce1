/**
 * Matches invisible characters. Joiners within a word are allowed: they are part of the spelling in Persian and Indic
 * scripts, and of emoji.
 */
const UNSEEN = /\p{Cc}|(?![\u200C\u200D])\p{Cf}|(?:^|\s)[\u200C\u200D]|[\u200C\u200D](?:\s|$)/u;

/** Whether a text for others only has visible characters, and none that reverses the text around it. */
export const isVisible = (text: string): boolean => !UNSEEN.test(text);

/** Turns a text by others into one line for a terminal, where control characters would act as commands. */
export const toLine = (text: string): string => text.replace(/\p{Cc}+/gu, " ");

/** Turns a text by others into one line without invisible characters, except the joiners within its words. */
export const toVisibleLine = (text: string): string => toLine(text).replace(/(?![\u200C\u200D])\p{Cf}/gu, "");

export const VISIBLE = "Use letters, digits and punctuation.";
