const EXCERPT_BYTES = 1_024;

/** The first KiB of a reply as text that PostgreSQL can keep: bytes that are no UTF-8, and NUL, are replaced. */
export function excerptOf(reply: Buffer): string {
  const cut = reply.length > EXCERPT_BYTES;
  const text = new TextDecoder().decode(reply.subarray(0, EXCERPT_BYTES)).replaceAll('\u0000', '\uFFFD');
  // The last character may have been cut in two.
  return cut ? text.replace(/\uFFFD{1,3}$/, '') : text;
}
