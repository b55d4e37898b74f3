const isClosed = (error: unknown) => (error as NodeJS.ErrnoException).code === 'EPIPE';

/**
 * Whoever reads the results may have seen enough (`… | head`): then the command ends, quietly and with the exit code that it has by then.
 * Results are written when the work is done, so nothing is cut off. Remarks that nobody reads any more end nothing.
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
