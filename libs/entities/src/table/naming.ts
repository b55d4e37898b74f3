import type { NamingStrategyInterface, Table } from 'typeorm';
import { DefaultNamingStrategy } from 'typeorm/naming-strategy/DefaultNamingStrategy.js';

const snake = (name: string) => name.replace(/(?<=[a-z])[A-Z]|(?<=\d)[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
const nameOf = (table: Table | string) => (typeof table === 'string' ? table : table.name).split('.').pop()!;

/** `nextOccurrenceUtc` → `next_occurrence_utc`; keys are named after their table and columns. */
export class SnakeCase extends DefaultNamingStrategy implements NamingStrategyInterface {
  override columnName(propertyName: string, customName: string | undefined): string {
    return customName ?? snake(propertyName);
  }

  override primaryKeyName(table: Table | string): string {
    return `pk_${nameOf(table)}`;
  }

  override foreignKeyName(table: Table | string, columns: string[]): string {
    return `fk_${nameOf(table)}_${columns.join('_')}`;
  }
}

const columns = new Map<string, string>();

/** The column of a property, for SQL written by hand. */
export function columnOf(property: string): string {
  let column = columns.get(property);
  if (column === undefined) columns.set(property, (column = snake(property)));
  return column;
}
