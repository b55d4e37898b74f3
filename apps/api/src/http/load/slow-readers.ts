import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Settings } from '#libs/platform';

const MOST_BETWEEN_LOOKS_MS = 1_000;

interface Reader {
  readonly socket: Socket;
  readonly response: ServerResponse;
  /**
   * The present measurement: how long the service has waited for the reader, and how many bytes it had taken before.
   */
  waitedMs: number;
  takenBefore: number;
  /** Whether bytes waited for it at the last check. */
  wasWaitedFor: boolean;
}

/**
 * Cuts off slow readers of lists, because an unfinished list keeps a slot from others. Only the time in which bytes
 * wait for the reader counts, never the time in which the reader waits for the service. A reader may pause for the
 * grace period. Bytes count as taken when the operating system has them; its buffers hide some megabytes at most.
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

  /** Watches until the returned function is called. */
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
    // When the process itself was blocked, its readers were not slow.
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
      // It resets the connection: unsent data is dropped, and no reader mistakes half a list for a complete one.
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

/** Measured per connection, because its answers are sent one after another. */
const takenBy = (socket: Socket) => socket.bytesWritten - socket.writableLength;
