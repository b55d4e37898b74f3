import * as fc from 'fast-check';
import { jsonFault } from './json-fault.js';

test.each([
  ['', 'line 1, column 1, where the body ends: expected a value.'],
  ['{"FirstName": ', 'line 1, column 15, where the body ends: expected a value.'],
  ['{"FirstName": Ada}', 'line 1, column 15: expected a value.'],
  [`{'FirstName': 1}`, 'line 1, column 2: expected a name in double quotes.'],
  ['{"A": 1,}', 'line 1, column 9: expected a name in double quotes.'],
  ['[1,]', 'line 1, column 4: expected a value.'],
  ['{\n  "A": 1\n  "B": 2\n}', 'line 3, column 3: expected a comma or }.'],
  ['[1 2]', 'line 1, column 4: expected a comma or ].'],
  ['{"A" 1}', 'line 1, column 6: expected a colon.'],
  ['{"A": "b\nc"}', 'line 1, column 9: expected a closing quote.'],
  ['{"A": "b', 'line 1, column 9, where the body ends: expected a closing quote.'],
  ['"\\x"', 'line 1, column 2: expected a valid escape, such as \\n or \\".'],
  ['{} {}', 'line 1, column 4: expected the end.'],
  ['{"A": 01}', 'line 1, column 7: expected a value.'],
  ['{"A": 1.}', 'line 1, column 7: expected a value.'],
  ['{"A": NaN}', 'line 1, column 7: expected a value.'],
  ['\ufeff{"A": }', 'line 1, column 8: expected a value.'],
])('%j is no JSON', (text, sentence) => {
  expect(jsonFault(text)).toBe(`The JSON is wrong at ${sentence}`);
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** JSON with one character put in, taken away or replaced. */
const almostJson = fc
  .tuple(
    fc.json({ maxDepth: 4 }),
    fc.nat(),
    fc.nat({ max: 1 }),
    fc.constantFrom('', '"', '\\', ',', '}', ']', '0', 'e', '\n', '-', '.', 'ä'),
  )
  .map(
    ([json, at, without, put]) =>
      json.slice(0, at % (json.length + 1)) + put + json.slice((at % (json.length + 1)) + without),
  );

it('tells JSON from what is none as JSON.parse does', () => {
  fc.assert(
    fc.property(almostJson, (text) => (jsonFault(text) === null) === isJson(text)),
    { numRuns: 2_000 },
  );
});

it('finds the fault of a large body at once', () => {
  const large = `{"A": "${'\\n'.repeat(400_000)}", "B": [${'1,'.repeat(20_000)}1] "C"}`;
  expect(jsonFault(large)).toMatch(/column \d{6}: expected a comma or }\.$/);
});
