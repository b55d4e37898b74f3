import { Presets, SingleBar } from 'cli-progress';

export interface Progress {
  advance(bytes: number): void;
  stop(): void;
}

/** A progress bar on a terminal's standard error; elsewhere nothing. */
export function progressBar(totalBytes: number): Progress {
  if (process.stderr.isTTY !== true) return { advance: () => undefined, stop: () => undefined };
  const bar = new SingleBar(
    { format: 'reading {bar} {percentage} %', stream: process.stderr, clearOnComplete: true },
    Presets.shades_classic,
  );
  bar.start(totalBytes, 0);
  return { advance: (bytes) => bar.increment(bytes), stop: () => bar.stop() };
}
