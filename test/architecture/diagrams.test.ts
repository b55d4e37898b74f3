import { readFileSync } from 'node:fs';
import { CYCLE_STATES } from '#libs/entities';
import { STATUSES } from '#libs/rules';

const page = readFileSync('docs/processing.md', 'utf8');

/** The arrows of the state diagram under a heading. */
function arrowsUnder(heading: string): [string, string][] {
  const section = page.split(`## ${heading}\n`)[1]!.split(/^## /m)[0]!;
  const [, diagram] = /^```mermaid\nstateDiagram-v2\n([\s\S]*?)^```$/m.exec(section)!;
  return [...diagram!.matchAll(/^ {2}(\S+) --> (\S+?)(?:: .+)?$/gm)].map(([, from, to]) => [from!, to!]);
}

const statesOf = (arrows: readonly (readonly [string, string])[]) =>
  [...new Set(arrows.flat())].filter((state) => state !== '[*]').sort();

describe('docs/processing.md', () => {
  it('shows every state of a cycle, and none that there is not', () => {
    const arrows = arrowsUnder('States of a cycle');
    expect(statesOf(arrows)).toEqual([...CYCLE_STATES].sort());
    expect(new Set(arrows.map(String)).size).toBe(arrows.length);
  });

  it('says which of them end a cycle', () => {
    const ends = arrowsUnder('States of a cycle').flatMap(([from, to]) => (to === '[*]' ? [from] : []));
    expect(ends.sort()).toEqual(['Completed', 'Failed', 'Skipped']);
  });

  it('shows every status of an order, and none that there is not', () => {
    expect(statesOf(arrowsUnder('Statuses of an order'))).toEqual([...STATUSES].sort());
  });

  it('shows each change of status that somebody may make', () => {
    const changes = arrowsUnder('Statuses of an order').filter(([from]) => from !== '[*]');
    const all = STATUSES.flatMap((from) => STATUSES.flatMap((to) => (from === to ? [] : [`${from} → ${to}`])));
    expect(changes.map(([from, to]) => `${from} → ${to}`).sort()).toEqual(all.sort());
  });
});
