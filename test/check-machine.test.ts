import { createRequire } from 'node:module';
import { join } from 'node:path';

const { oldNode, littleMemory } = createRequire(__filename)(join(__dirname, '../bin/check-machine.cjs')) as {
  oldNode: (version: string) => string | null;
  littleMemory: (bytes: number, gb: number) => string | null;
};

it.each(['v0.10.48', 'v8.17.0', 'v18.20.8', 'v20.18.3'])(
  'Node %s gets a sentence that says which is needed',
  (version) => {
    expect(oldNode(version)).toBe(
      `This is Node.js ${version}, and 20.19 or newer is needed: https://nodejs.org has it.`,
    );
  },
);

it.each(['v20.19.0', 'v22.0.0', 'v100.1.0', process.version])('Node %s is new enough', (version) => {
  expect(oldNode(version)).toBeNull();
});

it('Too little memory is a sentence that says what helps', () => {
  expect(littleMemory(1.5 * 2 ** 30, 4)).toBe(
    'This takes up to 4 GB of memory, and there are 1.5 GB: it may be slow, or be killed. Fewer tests at once take less (npm test -- -w 1).',
  );
  // What a machine of 4 GB shows.
  expect(littleMemory(3.7 * 2 ** 30, 4)).toBeNull();
});
