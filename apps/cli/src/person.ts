/** Who runs the command, for the log of a decision. */
export const person = (): string => process.env.SUDO_USER ?? process.env.USER ?? 'the command line';
