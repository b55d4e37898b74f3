/** An error as an ErrorLog entry holds it (contract.md, ErrorLog entry). */
export interface ExceptionInfo {
  readonly Message: string;
  readonly InnerExceptionInfo: ExceptionInfo | null;
}

/** Causes beyond this depth say nothing new; a cause that contains itself would never end. */
const DEEPEST = 5;

/** PostgreSQL stores no NUL; what a gateway says may hold anything. */
const storable = (text: string) => text.replaceAll('\0', '');

/** What was thrown, with its causes nested. */
export function exceptionInfo(thrown: unknown, depth = 0): ExceptionInfo {
  const cause: unknown = thrown instanceof Error ? thrown.cause : undefined;
  return {
    Message: storable(thrown instanceof Error ? thrown.message : String(thrown)),
    InnerExceptionInfo: cause === undefined || depth === DEEPEST ? null : exceptionInfo(cause, depth + 1),
  };
}

/** A failure in words, with what the gateway or the code said about it inside. */
export function failureInfo(message: string, detail?: string): ExceptionInfo {
  return {
    Message: storable(message),
    InnerExceptionInfo: detail === undefined ? null : { Message: storable(detail), InnerExceptionInfo: null },
  };
}
