const isClosed = (error: unknown) => (error as NodeJS.ErrnoException).code === 'EPIPE';

/**
 * A reader of the results may close the pipe early (`… | head`). Then the command ends quietly, with its present exit
 * code. Results are written when the work is done, so no work is lost. When only standard error is closed, the command
 * goes on.
 */
export function endWithReader(): void {
  process.stdout.on('error', (error) => {
    if (!isClosed(error)) throw error;
    process.exit();
  });
  process.stderr.on('error', (error) => {
    if (!isClosed(error)) throw error;
  });
}
