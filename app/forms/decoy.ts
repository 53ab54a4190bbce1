/** A field that people do not see and bots fill in. How long a form was open is up to the bot check. */
export const DECOY = "name__confirm";

/** Returns whether the form came back with its decoy empty. A form without the decoy was not ours. */
export const isDecoyEmpty = (form: FormData) => form.get(DECOY) === "";
