/** sysexits.h: the input data was incorrect in some way. */
export const EXIT_DATA = 65;

/** Why a command cannot do what it was asked: a sentence for standard error, and the exit code. */
export class Refusal extends Error {
  constructor(
    message: string,
    readonly exitCode = 1,
  ) {
    super(message);
  }
}
