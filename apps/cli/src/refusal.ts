/** The exit code EX_DATAERR of sysexits.h: the input data is wrong. */
export const EXIT_DATA = 65;

/** Why a command cannot do its work: a sentence for standard error, and the exit code. */
export class Refusal extends Error {
  constructor(
    message: string,
    readonly exitCode = 1,
  ) {
    super(message);
  }
}
