/** Prometheus gives up a scrape after 10 seconds unless it is told otherwise. */
const LONGEST_MS = 2_000;

/** Something that is read from the database at each scrape. */
export class Reading {
  private running: Promise<boolean> | null = null;

  constructor(
    private readonly read: () => Promise<void>,
    private readonly longestMs = LONGEST_MS,
  ) {}

  /**
   * Reads it. A scrape must work without the database too, because that is when it is needed most: a read that fails or
   * takes too long is left alone, and scrapes do not begin another one meanwhile.
   * @returns whether it was read.
   */
  async now(): Promise<boolean> {
    this.running ??= this.read()
      .then(
        () => true,
        () => false,
      )
      .finally(() => (this.running = null));
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<false>((resolve) => {
      timer = setTimeout(() => resolve(false), this.longestMs);
    });
    const isRead = await Promise.race([this.running, late]);
    clearTimeout(timer);
    return isRead;
  }
}
