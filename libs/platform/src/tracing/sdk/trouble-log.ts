import type { DiagLogger } from '@opentelemetry/api';

/** What the traces need of the process's log. */
export interface TracesLog {
  warn(sentence: string): void;
}

/** One line says that something is wrong; more of them say no more. */
const PAUSE_MS = 60_000;
const LONGEST_REASON = 200;

/** Tells of traces that cannot be sent: at most one line a minute, because nothing else depends on them. */
export class TroubleLog {
  private quietUntil = -Infinity;
  private untold = 0;

  constructor(
    private readonly log: TracesLog,
    private readonly endpoint: string,
  ) {}

  failed(error: unknown): void {
    this.tell(`Traces cannot be sent to ${this.endpoint} (${reasonOf(error)}). Nothing else is affected`);
  }

  late(ms: number): void {
    this.log.warn(`The last traces were not sent to ${this.endpoint}: it did not take them within ${ms} ms.`);
  }

  /** For what the packages say themselves, such as a variable that they cannot read, or spans that they dropped. */
  forPackages(): DiagLogger {
    const tell = (...parts: unknown[]) => {
      const words = parts.filter((part) => typeof part === 'string').join(': ');
      this.tell(`Traces: ${words.slice(0, LONGEST_REASON)}`);
    };
    const ignore = () => undefined;
    return { error: tell, warn: tell, info: ignore, debug: ignore, verbose: ignore };
  }

  private tell(sentence: string): void {
    if (performance.now() < this.quietUntil) {
      this.untold += 1;
      return;
    }
    this.quietUntil = performance.now() + PAUSE_MS;
    const more = this.untold === 0 ? '' : ` There were ${this.untold} more such faults since the last line.`;
    this.untold = 0;
    this.log.warn(`${sentence.replace(/\.$/, '')}.${more}`);
  }
}

/** Errors of a connection to a name with several addresses have no message of their own. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error).slice(0, LONGEST_REASON);
  const { code } = error as { code?: unknown };
  const words = error.message === '' ? '' : error.message;
  const known = typeof code === 'string' || typeof code === 'number' ? String(code) : '';
  const reason = words.includes(known) ? words : `${known} ${words}`;
  return (reason.trim() || error.name).slice(0, LONGEST_REASON);
}
