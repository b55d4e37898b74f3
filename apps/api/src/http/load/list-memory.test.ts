import { boundedLists } from './list-memory.js';

const MIB = 1024 * 1024;

describe('The lists that are streamed at once', () => {
  it.each([
    [20, 24_576, 20],
    [20, 320, 20],
    [20, 128, 8],
    [10_000, 512, 32],
    [5, 8, 1],
  ])('are at most %i, and fit into %i MiB: %i', (maxListStreams, mebibytes, most) => {
    expect(boundedLists({ maxListStreams }, mebibytes * MIB).most).toBe(most);
  });

  it('are fewer than the setting with a sentence that says why, and what to do', () => {
    expect(boundedLists({ maxListStreams: 20 }, 320 * MIB).sentence).toBeNull();
    expect(boundedLists({ maxListStreams: 10_000 }, 512.9 * MIB).sentence).toBe(
      'MAX_LIST_STREAMS is 10000, but a list needs about 4 MiB, and lists may have a quarter of the 512 MiB of this process: ' +
        'it streams at most 32 at once. Give it more memory, or set MAX_LIST_STREAMS to 32.',
    );
  });

  it('are bounded by the memory of the machine when nothing is said of it', () => {
    expect(boundedLists({ maxListStreams: 10_000_000 }).most).toBeLessThan(10_000_000);
    expect(boundedLists({ maxListStreams: 1 })).toEqual({ most: 1, sentence: null });
  });
});
