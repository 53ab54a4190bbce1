/** A field that people do not see and robots fill in. How long a form was open is the bot check's business. */
export const DECOY = "name__confirm";

/** Whether the form came back with its decoy empty. A form without the decoy was not ours. */
export const leftDecoyAlone = (form: FormData) => form.get(DECOY) === "";
