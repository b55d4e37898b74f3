/** An error as an ErrorLog entry stores it (contract.md, ErrorLog entry). */
export interface ExceptionInfo {
  readonly Message: string;
  readonly InnerExceptionInfo: ExceptionInfo | null;
}

/** Deeper causes add nothing, and a cause that contains itself would never end. */
const DEEPEST = 5;

/** PostgreSQL cannot store NUL, and a gateway's text may contain one. */
const storable = (text: string) => text.replaceAll('\0', '');

/** The thrown error with its nested causes. */
export function exceptionInfo(thrown: unknown, depth = 0): ExceptionInfo {
  const cause: unknown = thrown instanceof Error ? thrown.cause : undefined;
  return {
    Message: storable(thrown instanceof Error ? thrown.message : String(thrown)),
    InnerExceptionInfo: cause === undefined || depth === DEEPEST ? null : exceptionInfo(cause, depth + 1),
  };
}

/** A failure as text, with the gateway's or the code's own message as its cause. */
export function failureInfo(message: string, detail?: string): ExceptionInfo {
  return {
    Message: storable(message),
    InnerExceptionInfo: detail === undefined ? null : { Message: storable(detail), InnerExceptionInfo: null },
  };
}
