/**
 * Names what a row's button acts on, at the end of the button's name. On screen the row says it, but in a screen
 * reader's list of buttons there are only names.
 */
export const About = ({ children }: { children: string }) => <span className="sr-only"> {children}</span>;
