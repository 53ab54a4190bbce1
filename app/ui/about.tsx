/** What a button of a row acts on, at the end of its name: sight has the row, and a list of buttons has only names. */
export const About = ({ children }: { children: string }) => <span className="sr-only"> {children}</span>;
