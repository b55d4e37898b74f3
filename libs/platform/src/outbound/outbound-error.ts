/** Why a request could not be sent or was not answered: a sentence that a merchant may read. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError';
}

const SENTENCES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was closed before the reply was complete.',
  EPIPE: 'The connection was closed before the reply was complete.',
  EHOSTUNREACH: 'The host cannot be reached.',
  ENETUNREACH: 'The network cannot be reached.',
  ETIMEDOUT: 'The connection could not be made in time.',
  HPE_HEADER_OVERFLOW: 'The headers of the reply are larger than 16 KiB.',
  CERT_HAS_EXPIRED: 'The TLS certificate has expired.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The TLS certificate is for another name.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The TLS certificate is self-signed.',
  SELF_SIGNED_CERT_IN_CHAIN: 'The TLS certificate is signed by nobody who is known.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'The TLS certificate cannot be verified: the server may not send the certificates between.',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'The TLS certificate is signed by nobody who is known.',
};

/** What went wrong, without addresses and without what was sent. */
export function sentenceOf(error: unknown): string {
  if (error instanceof OutboundError) return error.message;
  const { code = '' } = error as { code?: string };
  const known = SENTENCES[code];
  if (known !== undefined) return known;
  if (code.startsWith('HPE_')) return `The reply is not HTTP/1.1 (${code}).`;
  if (code.startsWith('ERR_SSL') || code === 'EPROTO') return 'The TLS connection could not be made.';
  return code === '' ? 'The request failed.' : `The request failed (${code}).`;
}
