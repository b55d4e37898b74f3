import { ForecastRows } from './forecast-rows.js';
import { Numbered } from './numbered.js';
import { rowsInOrder } from './row-order.js';
import { StockUse } from './stock-use.js';

const ONE = { orders: 1, units: 2, unitsAtRisk: 3, amount: 4 };

describe('The rows of a forecast', () => {
  it('are added up by what they are of, and come by day, product and currency, in pieces', () => {
    const [rows, products, currencies] = [new ForecastRows(), new Numbered<number>(), new Numbered<string>()];
    const expected: string[] = [];
    for (let round = 0; round < 2; round++) {
      for (const day of [399, 7, 0, 30]) {
        for (const iso of ['USD', 'EUR']) {
          for (let id = 3_000; id >= 2; id -= 2) {
            rows.add(day, products.numberOf(id), currencies.numberOf(iso), ONE);
            if (round === 0) expected.push([day, id, iso].map((part) => String(part).padStart(5, '0')).join(' '));
          }
        }
      }
    }
    expect([rows.size, rows.sums(0)]).toEqual([12_000, { orders: 2, units: 4, unitsAtRisk: 6, amount: 8 }]);
    const pieces = [...rowsInOrder(rows, { products: products.ranks(), currencies: currencies.ranks() }, 1_700)];
    expect(pieces.map((piece) => piece.length)).toEqual([...Array<number>(7).fill(1_700), 100]);
    const found = pieces.flat().map((row) => {
      const { day, product, currency } = rows.key(row);
      const parts = [day, products.values[product]!, currencies.values[currency]!];
      return parts.map((part) => String(part).padStart(5, '0')).join(' ');
    });
    expect(found).toEqual(expected.toSorted());
  });

  it('are none where nothing was added', () => {
    const none = { products: new Int32Array(), currencies: new Int32Array() };
    expect([...rowsInOrder(new ForecastRows(), none, 10)]).toEqual([]);
  });
});

describe('The use of stock', () => {
  it('runs out on the first day by the end of which more is used than there is', () => {
    const use = new StockUse(4);
    expect([use.hasStock(1, 10), use.hasStock(2, null), use.hasStock(3, -1), use.hasStock(4, 2 ** 34)]).toEqual([
      true,
      false,
      true,
      true,
    ]);
    use.addBefore(1, 4);
    for (const [product, day, units] of [
      [1, 0, 5],
      [1, 1, 1],
      [1, 3, 1],
      [4, 1, 2 ** 32 - 1],
      [4, 1, 2 ** 33],
      [4, 2, 2 ** 33],
    ] as const)
      use.add(product, day, units);
    expect([1, 2, 3, 4].map((product) => use.runsOutOn(product))).toEqual([3, null, 0, 2]);
    use.addBefore(1, 7);
    expect(use.runsOutOn(1)).toBe(0);
  });
});
