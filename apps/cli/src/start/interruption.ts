const SIGNALS = { SIGINT: 130, SIGTERM: 0, SIGHUP: 0 } as const;

/** A signal asked this process to stop. */
export class Interrupted extends Error {
  constructor(readonly exitCode: number) {
    super('interrupted');
  }
}

export interface Interruption {
  /** Rejects with Interrupted at the first signal to stop. */
  readonly promise: Promise<never>;
  /** Resolves at the second signal: then nothing is waited for. */
  readonly again: Promise<void>;
}

/** From now on signals such as Ctrl-C do not end the process: they settle these promises. */
export function onInterruption(): Interruption {
  let first = true;
  let interrupt: (reason: Interrupted) => void = () => undefined;
  let hurry: () => void = () => undefined;
  const promise = new Promise<never>((_, reject) => (interrupt = reject));
  const again = new Promise<void>((resolve) => (hurry = resolve));
  promise.catch(() => undefined);
  for (const [signal, exitCode] of Object.entries(SIGNALS)) {
    process.on(signal, () => {
      if (first) interrupt(new Interrupted(exitCode));
      else hurry();
      first = false;
    });
  }
  return { promise, again };
}
