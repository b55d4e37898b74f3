import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Settings } from '#libs/config';

const MOST_BETWEEN_LOOKS_MS = 1_000;

interface Reader {
  readonly socket: Socket;
  readonly response: ServerResponse;
  /** Since when it is measured: how long it was waited for, and what it had taken before. */
  waitedMs: number;
  takenBefore: number;
  /** Whether bytes waited for it when it was looked at last. */
  wasWaitedFor: boolean;
}

/**
 * Cuts off readers of lists that take too few bytes: a list that nobody reads to its end keeps a place from others. Only the time counts in which
 * bytes wait for the reader, never that in which the reader waits for us; a reader may pause as long as the grace is. What it has taken is
 * what has left for the operating system, whose buffers hide some megabytes at most.
 */
export class SlowReaders {
  private readonly readers = new Set<Reader>();
  private readonly graceMs: number;
  private readonly minBytesPerMs: number;
  private readonly lookMs: number;
  private timer: NodeJS.Timeout | null = null;
  private lookedAtMs = 0;

  constructor(settings: Pick<Settings, 'listReaderGraceMs' | 'minListBytesPerSecond'>) {
    this.graceMs = settings.listReaderGraceMs;
    this.minBytesPerMs = settings.minListBytesPerSecond / 1_000;
    this.lookMs = Math.min(MOST_BETWEEN_LOOKS_MS, this.graceMs / 4);
  }

  /** Until what is returned is called. */
  watch(response: ServerResponse, socket: Socket): () => void {
    const reader = { socket, response, waitedMs: 0, takenBefore: takenBy(socket), wasWaitedFor: false };
    if (this.minBytesPerMs > 0) this.add(reader);
    return () => this.forget(reader);
  }

  private add(reader: Reader): void {
    this.readers.add(reader);
    if (this.timer !== null) return;
    this.lookedAtMs = performance.now();
    this.timer = setInterval(() => this.look(), this.lookMs).unref();
  }

  private look(): void {
    const nowMs = performance.now();
    // When the process itself was held up, its readers were not slow.
    const sinceMs = Math.min(nowMs - this.lookedAtMs, 2 * this.lookMs);
    this.lookedAtMs = nowMs;
    for (const reader of this.readers) this.measure(reader, sinceMs);
  }

  private measure(reader: Reader, sinceMs: number): void {
    const isWaitedFor = reader.socket.writableLength > 0 || reader.response.writableLength > 0;
    if (isWaitedFor && reader.wasWaitedFor) reader.waitedMs += sinceMs;
    reader.wasWaitedFor = isWaitedFor;
    if (reader.waitedMs < this.graceMs) return;
    const taken = takenBy(reader.socket) - reader.takenBefore;
    if (taken < reader.waitedMs * this.minBytesPerMs) {
      // Not closed but reset: what is still under way is dropped, and nobody takes half for all.
      reader.socket.resetAndDestroy();
      return;
    }
    reader.waitedMs = 0;
    reader.takenBefore += taken;
  }

  private forget(reader: Reader): void {
    this.readers.delete(reader);
    if (this.readers.size > 0 || this.timer === null) return;
    clearInterval(this.timer);
    this.timer = null;
  }
}

/** Of a connection, because answers that it waits for stand behind each other. */
const takenBy = (socket: Socket) => socket.bytesWritten - socket.writableLength;
