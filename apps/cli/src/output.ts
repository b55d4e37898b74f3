/** A command's result, for scripts: one line of JSON on standard output. */
export function printJson(result: object): void {
  process.stdout.write(`${JSON.stringify(result)}\n`);
}

/** A remark for a person; standard output stays clean for scripts. */
export function remark(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}
