/**
 * Returns the path of a request exactly as it was sent: not decoded, and with its dot segments. A client may send the
 * whole address instead (RFC 9112, section 3.2.2).
 */
export const findSentPath = (target: string): string => target.replace(/^https?:\/\/[^/?#]*|\?.*$/g, "");
